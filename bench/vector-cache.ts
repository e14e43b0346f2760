import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EmbeddedText, Embedder } from '../runtime/embedding/embedder.js';
import { openOnnxEmbedder } from '../runtime/embedding/onnx-embedder.js';
import { cacheFolder } from '../stack/cache.js';
import { fetchEmbeddingModel } from '../stack/embedding-model/fetch.js';

/** Named after the way in which texts are split: vectors of other windows are useless. */
const cutting = 'half-windows-and-opening';

/**
 * The embedded model with its vectors kept in the cache folder, one line per text (digest, opening or '-',
 * and windows in base64). Training and evaluation read some 15,000 texts, which takes minutes the first time.
 */
export async function cachedEmbedder(): Promise<Embedder> {
  const folder = await fetchEmbeddingModel();
  const file = join(cacheFolder(), 'vectors', `${folder.split('/').at(-1) ?? ''}-${cutting}.txt`);
  const known = readVectors(file);
  let opened: Promise<Embedder> | undefined;
  const embedOne = async (text: string): Promise<EmbeddedText> => {
    const digest = createHash('sha1').update(text).digest('base64');
    const found = known.get(digest);
    if (found !== undefined) return found;
    opened ??= openOnnxEmbedder(folder);
    const [embedded = nothing] = await (await opened).embed([text]);
    const { opening, windows } = embedded;
    known.set(digest, embedded);
    const vectors = [opening === null ? '-' : base64Of(opening), ...windows.map(base64Of)];
    appendFileSync(file, `${[digest, ...vectors].join(' ')}\n`);
    return embedded;
  };
  return {
    model: 'all-MiniLM-L6-v2',
    async embed(texts) {
      const embedded: EmbeddedText[] = [];
      for (const text of texts) embedded.push(await embedOne(text));
      return embedded;
    },
    close: async () => (await opened)?.close(),
  };
}

const nothing: EmbeddedText = { windows: [], opening: null };

function readVectors(file: string): Map<string, EmbeddedText> {
  mkdirSync(dirname(file), { recursive: true });
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return new Map(
    lines
      .filter((line) => line !== '')
      .map((line) => line.split(' '))
      .map(([digest = '', opening = '-', ...windows]) => [
        digest,
        { opening: opening === '-' ? null : vectorOf(opening), windows: windows.map(vectorOf) },
      ]),
  );
}

const base64Of = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

function vectorOf(base64: string): Float32Array {
  return new Float32Array(new Uint8Array(Buffer.from(base64, 'base64')).buffer);
}
