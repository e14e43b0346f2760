import type { Embedder, EmbedderOrReason } from '../../../runtime/embedding/embedder.js';
import { linearModel, type LinearModel, type LinearModelFile } from '../metrics/linear/linear-model.js';
import type { SemanticModels, Semantics, Unfit } from '../metrics/semantics/semantics.js';
import type { Theme } from '../metrics/semantics/themes.js';
import type { Topic } from '../metrics/semantics/topics.js';
import { digestOf, readExampleVectors, unpackVector } from '../models/example-vectors.js';
import { readModel } from '../models/read-model.js';
import { embeddingFailure } from './embedding-failure.js';

/** What texts are compared with, before it is embedded. */
export interface Examples {
  readonly themes: readonly Theme<string>[];
  readonly topics: readonly Topic<string>[];
}

/** The vectors of each text, in their order. Never rejects: without vectors metrics are null, with the reason. */
export type EmbedTexts = (texts: readonly string[]) => Promise<readonly Semantics[]>;

export function embedTexts(opened: EmbedderOrReason, examples: Examples): EmbedTexts {
  if (!opened.available) return (texts) => Promise.resolve(texts.map(() => ({ reason: opened.reason })));
  const { embedder } = opened;
  let known: SemanticModels | undefined;
  return async (texts) => {
    try {
      const models = (known ??= await semanticModels(embedder, examples)); // if it fails, the next call tries again
      return (await embedder.embed(texts)).map((text) => ({ ...text, models }));
    } catch (error) {
      return texts.map(() => ({ reason: reasonOfFailure(error) }));
    }
  };
}

async function semanticModels(embedder: Embedder, { themes, topics }: Examples): Promise<SemanticModels> {
  const vectors = await exampleVectors(
    embedder,
    [...themes, ...topics].flatMap(({ examples }) => examples),
  );
  const embedded = (examples: readonly string[]): Float32Array[] =>
    examples.flatMap((example) => vectors.get(example) ?? []);
  return {
    themes: themes.map((theme) => ({ ...theme, examples: embedded(theme.examples) })),
    topics: topics.map((topic) => ({ ...topic, examples: embedded(topic.examples) })),
    toxicity: trainedModel(readModel('toxicity'), embedder),
    injection: trainedModel(readModel('injection'), embedder),
  };
}

/** The vectors of examples; those of built-in examples are stored. Examples are short: one window each. */
async function exampleVectors(
  embedder: Embedder,
  texts: readonly string[],
): Promise<ReadonlyMap<string, Float32Array>> {
  const { embedding, vectors } = readExampleVectors();
  const packedOf = (text: string): string | undefined =>
    isOf(embedder, embedding) ? vectors[digestOf(text)] : undefined;
  const unknown = texts.filter((text) => packedOf(text) === undefined);
  const embedded = await embedder.embed(unknown);
  const own = new Map(
    unknown.map((text, index) => [text, embedded[index]?.windows[0] ?? new Float32Array()]),
  );
  return new Map(
    texts.map((text) => {
      const packed = packedOf(text);
      return [text, packed === undefined ? (own.get(text) ?? new Float32Array()) : unpackVector(packed)];
    }),
  );
}

const isOf = ({ model }: Embedder, embedding: string): boolean =>
  model.toLowerCase().includes(embedding.toLowerCase());

/** The trained model, if the vectors come from the embedding model that it was trained with. */
function trainedModel(file: LinearModelFile, embedder: Embedder): LinearModel | Unfit {
  if (isOf(embedder, file.embedding)) return linearModel(file);
  return {
    reason: `This metric is trained for ${file.embedding}, and the embedding model is ${embedder.model}.`,
  };
}

function reasonOfFailure(error: unknown): string {
  const failure = embeddingFailure(error);
  return `The embedding model failed ${'status' in failure ? `with status ${failure.status}` : `(${failure.kind})`}.`;
}
