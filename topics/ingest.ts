import type { CustomEvent } from '../schemas/generated/custom-event.js';
import type { IngestBatch } from '../schemas/generated/ingest-batch.js';
import type { TraceSpans } from '../schemas/generated/trace-spans.js';
import { avro, compact, deleteAfter, topic } from './topic.js';

/** Custom events, one record each. Keyed by workspace and metric, so that a metric's last value is its last record. */
export const ingestEvents = topic({
  name: 'ingest.events',
  key: 'workspace:metric',
  value: avro<CustomEvent>('custom-event'),
  partitions: 12,
  cleanup: deleteAfter({ days: 7 }),
  owner: 'http-edge',
});

/** Spans; a record has several of one trace. Keyed by trace, so that its spans are in one partition. */
export const ingestSpans = topic({
  name: 'ingest.spans',
  key: 'trace id',
  value: avro<TraceSpans>('trace-spans'),
  partitions: 12,
  cleanup: deleteAfter({ days: 7 }),
  owner: 'http-edge',
});

/**
 * The last accepted batch of each agent's spool and dataset, so that a batch that is sent again is recognised
 * after an outage of any length. Also the Idempotency-Keys of events, for two days. It grows with the number
 * of spools, not of batches.
 */
export const ingestBatches = topic({
  name: 'ingest.batches',
  key: 'workspace/spool/dataset',
  value: avro<IngestBatch>('ingest-batch'),
  partitions: 6,
  cleanup: compact(),
  owner: 'http-edge',
});
