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

const options: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  // Without it a processor that lacks VNNI lets 8-bit products overflow, and gives other vectors than one that has it.
  extra: { session: { x64quantprecision: '1' } },
};

/** Does a native call, in whatever keeps it from being cut off. */
export type CallNative = <Value>(native: () => Promise<Value>) => Promise<Value>;

/**
 * Opens the embedding model of a folder that holds `model.onnx` and `tokenizer.json`. One window a run, on one thread:
 * so a text's vectors are a function of the text alone. Batches of 16 make a fifth more of short texts and a fifth less
 * of long ones, in twice the memory (measured, docs/scorers.md).
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

/** What is used of the tokenizer; its own declarations do not resolve from an ES module. */
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
  const vectors: Float32Array[] = [];
  for (const window of windowsOf(ids)) vectors.push(await embedWindow(run, [start, ...window, end]));
  return vectors;
}

async function embedWindow(run: Run, ids: readonly number[]): Promise<Float32Array> {
  const shape = [1, ids.length];
  const output = await run({
    input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
    attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
    token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), shape),
  });
  const [states] = Object.values(output);
  if (!(states instanceof Tensor) || states.type !== 'float32')
    throw new TypeError('the first output of model.onnx are no floats');
  return normalise(meanOf(states.data as Float32Array, ids.length));
}

/** The mean of the pieces' vectors. Its length is left to the caller: only its direction is used. */
function meanOf(states: Float32Array, pieces: number): Float32Array {
  const size = states.length / pieces;
  const sum = new Float32Array(size);
  for (let piece = 0; piece < pieces; piece++) {
    const offset = piece * size;
    for (let i = 0; i < size; i++) sum[i] = (sum[i] ?? 0) + (states[offset + i] ?? 0);
  }
  return sum;
}
