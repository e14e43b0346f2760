import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { normalise, type EmbeddedText, type Embedder } from './embedder.js';
import { windowsOf } from './windows.js';

const model = 'all-MiniLM-L6-v2';

/**
 * The marks `[CLS]` and `[SEP]` of BERT's vocabulary. They are put around every window here, so the tokenizer is asked
 * for the bare pieces.
 */
const start = 101;
const end = 102;

/**
 * About two sentences. Windows of 31, 47, 63 and 79 pieces detect refusals about equally well (measured,
 * docs/scorers.md).
 */
const openingPieces = 47;

const options: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  // Without this, 8-bit products overflow on a processor that lacks VNNI, and its vectors differ.
  extra: { session: { x64quantprecision: '1' } },
};

/** Runs a native call so that it is not interrupted. */
export type CallNative = <Value>(native: () => Promise<Value>) => Promise<Value>;

/**
 * Opens the embedding model of a folder that holds `model.onnx` and `tokenizer.json`. It runs one window at a time, on
 * one thread, so a text's vectors depend on the text alone. Batches of 16 would be a fifth faster for short texts and a
 * fifth slower for long ones, in twice the memory (measured, docs/scorers.md).
 */
export async function openOnnxEmbedder(
  folder: string,
  call: CallNative = (native) => native(),
): Promise<Embedder> {
  const session = await call(() => InferenceSession.create(join(folder, 'model.onnx'), options));
  const tokenizer = await openTokenizer(join(folder, 'tokenizer.json'));
  const run: Run = (inputs) => call(() => session.run(inputs));
  return {
    model,
    async embed(texts) {
      const embedded: EmbeddedText[] = [];
      for (const text of texts) embedded.push(await embedText(run, tokenizer, text));
      return embedded;
    },
    close: () => session.release(),
  };
}

/** The part of the tokenizer that is used; its own declarations do not resolve from an ES module. */
interface PieceTokenizer {
  encode(
    text: string,
    options: { readonly add_special_tokens: boolean },
  ): { readonly ids: readonly number[] };
}

async function openTokenizer(path: string): Promise<PieceTokenizer> {
  const description = JSON.parse(await readFile(path, 'utf8')) as object;
  const Constructor = Tokenizer as unknown as new (description: object, config: object) => PieceTokenizer;
  return new Constructor(description, {});
}

type Run = (inputs: InferenceSession.OnnxValueMapType) => Promise<InferenceSession.OnnxValueMapType>;

async function embedText(run: Run, tokenizer: PieceTokenizer, text: string): Promise<EmbeddedText> {
  const { ids } = tokenizer.encode(text, { add_special_tokens: false });
  const windows: Float32Array[] = [];
  let opening: Float32Array | null = null;
  for (const window of windowsOf(ids)) {
    const states = await statesOf(run, [start, ...window, end]);
    if (windows.length === 0 && window.length > openingPieces) opening = direction(states, openingPieces + 1);
    windows.push(direction(states, window.length + 2));
  }
  return { windows, opening };
}

/** The vectors of a window's pieces, one after the other, each of `size` values. */
interface States {
  readonly values: Float32Array;
  readonly size: number;
}

async function statesOf(run: Run, ids: readonly number[]): Promise<States> {
  const shape = [1, ids.length];
  const output = await run({
    input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
    attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
    token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), shape),
  });
  const [states] = Object.values(output);
  if (!(states instanceof Tensor) || states.type !== 'float32')
    throw new TypeError('the first output of model.onnx is not a tensor of floats');
  const values = states.data as Float32Array;
  return { values, size: values.length / ids.length };
}

/** The direction of the mean of the first pieces' vectors. */
function direction({ values, size }: States, pieces: number): Float32Array {
  const sum = new Float32Array(size);
  for (let piece = 0; piece < pieces; piece++) {
    const offset = piece * size;
    for (let i = 0; i < size; i++) sum[i] = (sum[i] ?? 0) + (values[offset + i] ?? 0);
  }
  return normalise(sum);
}
