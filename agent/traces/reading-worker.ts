import { Problem } from '../../runtime/http/problem.js';
import { batchWorker } from '../../runtime/pool/batch-worker.js';
import { readFrames, type ReadFrames } from './read-frames.js';

/** A request to be read. */
export interface ReadingJob {
  readonly body: Uint8Array;
  readonly application: string | undefined;
}

export type ReadingAnswer =
  (Omit<ReadFrames, 'bytes'> & { readonly bytes: Uint8Array }) | { readonly unreadable: string };

/** The worker thread's side of the trace reader. */
export const read = batchWorker<ReadingJob, ReadingAnswer>(({ body, application }) => {
  try {
    return readFrames(Buffer.from(body.buffer, body.byteOffset, body.length), application);
  } catch (error) {
    if (error instanceof Problem) return { unreadable: error.message };
    throw error;
  }
});
