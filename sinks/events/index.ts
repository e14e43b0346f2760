import { timestamp } from '../../runtime/clickhouse/timestamp.js';
import type { IncomingRecord } from '../../runtime/kafka/records.js';
import type { Sink } from '../../runtime/sink.js';
import type { CustomEvent } from '../../schemas/generated/custom-event.js';
import { ingestEvents } from '../../topics/ingest.js';

/** ingest.events → telltale.events: one row an event. */
export const eventsSink = {
  name: 'events',
  from: ingestEvents,
  table: 'telltale.events',
  row: ({ value: event, appendedAt }: IncomingRecord<CustomEvent>) => ({
    workspace: event.workspace,
    metric: event.metric,
    type: event.type,
    value: event.value,
    cluster: event.cluster ?? '',
    occurred_at: timestamp(event.occurred_at),
    received_at: timestamp(event.received_at),
    appended_at: timestamp(appendedAt),
    key_id: event.key_id,
    source: event.source,
  }),
} satisfies Sink<CustomEvent>;
