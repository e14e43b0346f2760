import { readInsert, type Sink } from '../../runtime/sink.js';
import { ingestEvents } from '../../topics/ingest.js';

/** ingest.events → telltale.events: one row per event. */
export const eventsSink: Sink = {
  name: 'events',
  from: ingestEvents,
  table: 'telltale.events',
  rowsPerRecord: 'one',
  insert: readInsert(new URL('./insert.sql', import.meta.url)),
};
