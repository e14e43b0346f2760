import { TelltaleError } from '../../runtime/errors.js';
import type { Embedder } from '../../runtime/embedding/embedder.js';
import { openOnnxEmbedder } from '../../runtime/embedding/onnx-embedder.js';
import { fetchEmbeddingModel } from '../../stack/embedding-model/fetch.js';

let folder: Promise<string | TelltaleError> | undefined;
let opened: Promise<Embedder> | undefined;

/** The folder of the fetched model, or why it could not be fetched; there is none without Maven. */
function modelFolder(): Promise<string | TelltaleError> {
  folder ??= fetchEmbeddingModel().catch((error: unknown) => {
    if (error instanceof TelltaleError) return error;
    throw error;
  });
  return folder;
}

/** The folder of the model; undefined if it could not be fetched, for tests that can do without it. */
export async function modelFolderIfThere(): Promise<string | undefined> {
  const found = await modelFolder();
  return typeof found === 'string' ? found : undefined;
}

/** The folder of the model; without it, skips the suite and says so. */
export async function modelFolderOrSkip(context: Mocha.Context): Promise<string> {
  const found = await modelFolder();
  if (typeof found === 'string') return found;
  console.log(`      skipped: ${found.message}`);
  return context.skip();
}

/** The embedder of the model, one for all tests; without the model, skips the suite and says so. */
export async function embedderOrSkip(context: Mocha.Context): Promise<Embedder> {
  opened ??= openOnnxEmbedder(await modelFolderOrSkip(context));
  return opened;
}
