import { scrubOperation, type ScrubJob } from '../../agent/slowlogs/scrub-operation.js';
import { batchWorker } from '../../runtime/pool/batch-worker.js';

/** A scrub worker that texts can hang, kill and break, which none of our rules should permit. */
export const scrub = batchWorker((job: ScrubJob) => {
  const source = job.operation.source ?? '';
  if (source.includes('"hang"')) for (;;);
  if (source.includes('"exit"')) process.exit(1);
  if (source.includes('"throw"')) throw new Error(`a mistake that quotes ${source}`);
  return scrubOperation(job);
});
