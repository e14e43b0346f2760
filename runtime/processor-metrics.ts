import type { Metrics } from './metrics.js';

export type ProcessorMetrics = ReturnType<typeof processorMetrics>;

/** The metrics of a processor: the same names for all processors, with a label. */
export function processorMetrics(metrics: Metrics, processor: string) {
  const outcomes = metrics.counter('telltale_processor_records_total', 'Records, by outcome.', [
    'processor',
    'outcome',
  ]);
  const transactions = metrics.counter(
    'telltale_processor_transactions_total',
    'Transactions, by how they ended.',
    ['processor', 'end'],
  );
  const stepSeconds = metrics.histogram('telltale_processor_step_seconds', 'Time that one step took.', [
    'processor',
  ]);
  const commitSeconds = metrics.histogram(
    'telltale_processor_commit_seconds',
    'Time that one transaction took.',
    ['processor'],
  );
  const latency = metrics.histogram(
    'telltale_processor_latency_seconds',
    'From the append of a record to the commit of its outcome.',
    ['processor'],
  );
  const retries = metrics.counter(
    'telltale_processor_retries_total',
    'Runs that had to wait for a dependency.',
    ['processor'],
  );
  const lag = metrics.gauge('telltale_consumer_lag_records', 'Records between the group and the log end.', [
    'group',
    'topic',
    'partition',
  ]);
  return {
    count: (counts: ReadonlyMap<string, number>) => {
      for (const [outcome, count] of counts) outcomes.inc({ processor, outcome }, count);
    },
    transaction: (end: 'committed' | 'failed') => transactions.inc({ processor, end }),
    stepTimer: () => stepSeconds.startTimer({ processor }),
    commitTimer: () => commitSeconds.startTimer({ processor }),
    latency: (seconds: number) => latency.observe({ processor }, seconds),
    retry: () => retries.inc({ processor }),
    lag: (group: string, topic: string, partition: number, records: number) =>
      lag.set({ group, topic, partition: String(partition) }, records),
  };
}
