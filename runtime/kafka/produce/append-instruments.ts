import type { Metrics } from '../../metrics.js';

export type AppendInstruments = ReturnType<typeof appendInstruments>;

export function appendInstruments(metrics: Metrics) {
  return {
    batches: metrics.counter('telltale_append_batches_total', 'Requests to Kafka that were confirmed.'),
    records: metrics.counter('telltale_append_records_total', 'Records that were confirmed.'),
    bytes: metrics.counter('telltale_append_bytes_total', 'Bytes of keys and values that were confirmed.'),
    seconds: metrics.histogram('telltale_append_seconds', 'From sending a batch to its confirmation.'),
    failures: metrics.counter('telltale_append_failures_total', 'Appends that were not confirmed.', ['code']),
    inFlight: metrics.gauge('telltale_append_in_flight_bytes', 'Bytes that wait for their confirmation.'),
  };
}
