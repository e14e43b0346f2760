import OpenAI from 'openai';
import { normalise, type EmbeddedText, type Embedder } from './embedder.js';
import { windowsOf } from './windows.js';

/**
 * The endpoint's tokens are unknown here. This many characters of ordinary text are below 256 word pieces.
 */
const windowCharacters = 1000;
/** Inputs per call; the protocol's own limit is 2,048. */
const windowsPerCall = 128;

export interface EmbeddingEndpoint {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
  readonly timeoutMs: number;
}

/** How long the endpoint is not called after a failure. Calls meanwhile reject at once with its error. */
const restMs = 5_000;

/** An endpoint that speaks the OpenAI embeddings protocol. The client retries time-outs, 429 and 5xx once. */
export function endpointEmbedder({ baseUrl, apiKey, model, timeoutMs }: EmbeddingEndpoint): Embedder {
  const client = new OpenAI({ baseURL: baseUrl, apiKey, timeout: timeoutMs, maxRetries: 1 });
  const embedWindows = restingAfterFailure((inputs) => embedAll(client, model, inputs));
  return {
    model,
    async embed(texts) {
      const windows = texts.map(characterWindows);
      const vectors = await embedWindows(windows.flat());
      let next = 0;
      return windows.map(({ length }): EmbeddedText => ({
        windows: vectors.slice(next, (next += length)),
        opening: null,
      }));
    },
    close: () => Promise.resolve(),
  };
}

type EmbedWindows = (inputs: readonly string[]) => Promise<Float32Array[]>;

function restingAfterFailure(embed: EmbedWindows): EmbedWindows {
  let failure: { readonly error: unknown; readonly until: number } | undefined;
  return async (inputs) => {
    if (failure !== undefined && performance.now() < failure.until) throw failure.error;
    try {
      return await embed(inputs);
    } catch (error) {
      failure = { error, until: performance.now() + restMs };
      throw error;
    }
  };
}

/** Windows of whole code points. The protocol refuses an empty input, so a space stands for it. */
function characterWindows(text: string): readonly string[] {
  return windowsOf(Array.from(text.toWellFormed()), windowCharacters).map((window) => window.join('') || ' ');
}

async function embedAll(client: OpenAI, model: string, inputs: readonly string[]): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let first = 0; first < inputs.length; first += windowsPerCall) {
    const input = inputs.slice(first, first + windowsPerCall);
    const { data } = await client.embeddings.create({ model, input, encoding_format: 'float' });
    if (data.length !== input.length) {
      throw new RangeError(`the embeddings endpoint gave ${data.length} vectors for ${input.length} texts`);
    }
    const inOrder = data.toSorted((left, right) => left.index - right.index);
    vectors.push(...inOrder.map(({ embedding }) => normalise(Float32Array.from(embedding))));
  }
  return vectors;
}
