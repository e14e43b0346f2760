import type { Metrics } from '../metrics.js';

export type SinkMetrics = ReturnType<typeof sinkMetrics>;

/** The metrics of a sink: the same names for all sinks, with a label. */
export function sinkMetrics(metrics: Metrics, sink: string) {
  const records = metrics.counter(
    'telltale_sink_records_total',
    'Records whose rows ClickHouse has confirmed.',
    ['sink'],
  );
  const bytes = metrics.counter('telltale_sink_bytes_total', 'Bytes of confirmed records.', ['sink']);
  const inserts = metrics.histogram('telltale_sink_insert_seconds', 'Time that one insert took.', ['sink']);
  const latency = metrics.histogram(
    'telltale_sink_latency_seconds',
    'From the append of a record to the confirmation of its rows, for the oldest record of each insert.',
    ['sink'],
  );
  const retries = metrics.counter(
    'telltale_sink_retries_total',
    'Pauses because a dependency was unavailable.',
    ['sink'],
  );
  const deadLetters = metrics.counter(
    'telltale_sink_dead_letters_total',
    'Records that became no row, by the code of their reason.',
    ['sink', 'code'],
  );
  const recovered = metrics.counter(
    'telltale_sink_recovered_ranges_total',
    'Ranges recovered from a predecessor.',
    ['sink'],
  );
  return {
    inserted(count: number, size: number, seconds: number): void {
      records.inc({ sink }, count);
      bytes.inc({ sink }, size);
      inserts.observe({ sink }, seconds);
    },
    latency: (seconds: number) => latency.observe({ sink }, seconds),
    retry: () => retries.inc({ sink }),
    deadLetter: (code: string) => deadLetters.inc({ sink, code }),
    recovered: () => recovered.inc({ sink }),
  };
}
