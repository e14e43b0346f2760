import type { Codec } from '../../runtime/codec.js';
import { sizeOf, type Appender } from '../../runtime/kafka/produce/appender.js';
import type { IdempotentAppender } from '../../runtime/kafka/transactions/idempotent-appender.js';
import type { CustomEvent } from '../../schemas/generated/custom-event.js';
import type { IngestBatch } from '../../schemas/generated/ingest-batch.js';
import { ingestBatches } from '../../topics/ingest.js';
import { batchKey } from '../agent-batches/batch-id.js';
import { ofIdempotencyKeys } from '../agent-batches/batch-view.js';
import type { EventLog } from '../ports.js';
import { eventRecord } from './event-record.js';

export interface EventLogOptions {
  readonly appender: Pick<Appender, 'append' | 'holding'>;
  readonly codec: Codec<CustomEvent>;
  readonly once: IdempotentAppender<IngestBatch>;
  readonly batchCodec: Codec<IngestBatch>;
}

const dayMicros = 86_400_000_000;

/** Whether stored events count as a repeat of these: a key is valid for a day. */
export const areRepeatedEvents = (found: IngestBatch, own: IngestBatch): boolean =>
  found.spool === own.spool || found.received_at > own.received_at - dayMicros;

/**
 * Appends custom events to Kafka, batched with those of other requests. Under an Idempotency-Key they are a
 * batch of a spool that is named after the key and the day. So all edges together store them once, like an
 * agent's batch.
 */
export function createEventLog({ appender, codec, once, batchCodec }: EventLogOptions): EventLog {
  return {
    append: (events) => appender.append(events.map((event) => eventRecord(codec, event))),
    async appendOnce(events, { workspace, group, id, previousId, digest, receivedAt }) {
      const key = batchKey(workspace, id, ofIdempotencyKeys);
      const entry: IngestBatch = {
        workspace,
        spool: id,
        dataset: ofIdempotencyKeys,
        sequence: 1,
        digest,
        accepted: events.length,
        rejected_count: 0,
        rejected: [],
        received_at: receivedAt,
      };
      const records = [
        ...events.map((event) => eventRecord(codec, event)),
        { topic: ingestBatches.name, key, value: batchCodec.encode(entry) },
      ];
      const bytes = records.reduce((sum, record) => sum + sizeOf(record), 0);
      const outcome = await appender.holding(bytes, () =>
        once.append({
          group,
          ids: [key, batchKey(workspace, previousId, ofIdempotencyKeys)],
          entry,
          records,
        }),
      );
      return outcome.kind === 'appended' || outcome.entry.digest === digest;
    },
  };
}
