import { readInsert, type Sink } from '../../runtime/sink.js';
import { ingestSpans } from '../../topics/ingest.js';

/** ingest.spans → telltale.otel_traces: one row per span. */
export const spansSink: Sink = {
  name: 'spans',
  from: ingestSpans,
  table: 'telltale.otel_traces',
  rowsPerRecord: 'several',
  insert: readInsert(new URL('./insert.sql', import.meta.url)),
  order: { by: 'workspace, is_entry, Timestamp', replaces: ['by_time', 'spans_by_time'] },
};
