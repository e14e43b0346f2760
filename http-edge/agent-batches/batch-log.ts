import type { Codec } from '../../runtime/codec.js';
import type { IdempotentAppender } from '../../runtime/kafka/transactions/idempotent-appender.js';
import type { IngestBatch } from '../../schemas/generated/ingest-batch.js';
import { ingestBatches } from '../../topics/ingest.js';
import type { BatchLog } from '../ports.js';
import { batchKey } from './batch-id.js';

export interface BatchLogOptions {
  readonly once: IdempotentAppender<IngestBatch>;
  readonly codec: Codec<IngestBatch>;
}

/** Whether the stored batch is the same batch as this one, or a later one of its spool. */
export const isRepeatedBatch = (last: IngestBatch, own: IngestBatch): boolean =>
  last.sequence >= own.sequence;

/**
 * Appends a batch's records and, in the same transaction, records it as the last batch of its spool and
 * dataset. A spool sends its batches in order, one at a time. So a batch whose sequence is not above the last
 * one's is a repeat, or comes from a copy of the spool.
 */
export function createBatchLog({ once, codec }: BatchLogOptions): BatchLog {
  return {
    async appendOnce(batch, records) {
      const key = batchKey(batch.workspace, batch.spool, batch.dataset);
      const outcome = await once.append({
        group: key,
        ids: [key],
        entry: batch,
        records: [...records, { topic: ingestBatches.name, key, value: codec.encode(batch) }],
      });
      if (outcome.kind === 'appended') return batch;
      const { entry: last } = outcome;
      return last.sequence === batch.sequence && last.digest === batch.digest ? last : undefined;
    },
  };
}
