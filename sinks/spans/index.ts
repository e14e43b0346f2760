import { timestamp } from '../../runtime/clickhouse/timestamp.js';
import type { IncomingRecord } from '../../runtime/kafka/records.js';
import type { SinkOfRows } from '../../runtime/sink.js';
import type { TraceSpans } from '../../schemas/generated/trace-spans.js';
import { ingestSpans } from '../../topics/ingest.js';
import { sharedColumns, spanColumns } from './row-text.js';

/** ingest.spans → telltale.otel_traces: one row a span. */
export const spansSink = {
  name: 'spans',
  from: ingestSpans,
  table: 'telltale.otel_traces',
  rows({ value, appendedAt }: IncomingRecord<TraceSpans>): readonly string[] {
    const shared = sharedColumns(value, timestamp(value.received_at), timestamp(appendedAt));
    return value.spans.map((span) => shared + spanColumns(span));
  },
} satisfies SinkOfRows<TraceSpans>;
