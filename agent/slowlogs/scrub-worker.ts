import { batchWorker } from '../../runtime/pool/batch-worker.js';
import type { SlowOperationItem } from '../../schemas/slow-operations.js';
import { scrubOperation, type ScrubJob } from './scrub-operation.js';

/** The worker thread's side of the scrub pool. */
export const scrub = batchWorker<ScrubJob, SlowOperationItem>(scrubOperation);
