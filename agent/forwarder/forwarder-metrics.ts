import type { Metrics } from '../../runtime/metrics.js';
import type { Dataset } from '../component.js';

type ItemOutcome = 'put' | 'arrived' | 'rejected' | 'quarantined' | 'lost';

/** Metrics of where items are on their way, and where they ended. */
export interface ForwarderMetrics {
  items(dataset: Dataset, outcome: ItemOutcome, count: number): void;
  lostBytes(dataset: Dataset, bytes: number): void;
  attempt(dataset: Dataset, outcome: string, seconds: number, bytes: number): void;
  spoolBytes(bytes: number): void;
  unsentBytes(dataset: Dataset, bytes: number): void;
}

export function createForwarderMetrics(metrics: Metrics): ForwarderMetrics {
  const items = metrics.counter('telltale_agent_items_total', 'Items that were accepted, by outcome.', [
    'dataset',
    'outcome',
  ]);
  const lost = metrics.counter(
    'telltale_agent_lost_bytes_total',
    'Bytes of the spool that the disk has lost.',
    ['dataset'],
  );
  const seconds = metrics.histogram(
    'telltale_agent_batch_duration_seconds',
    'From the start of sending a batch to its answer.',
    ['dataset', 'outcome'],
  );
  const sent = metrics.counter('telltale_agent_sent_bytes_total', 'Bytes sent, before compression.', [
    'dataset',
  ]);
  const spool = metrics.gauge('telltale_agent_spool_bytes', 'Bytes that the spool takes on disk.');
  const unsent = metrics.gauge('telltale_agent_unsent_bytes', 'Bytes in the spool that have not arrived.', [
    'dataset',
  ]);
  return {
    items: (dataset, outcome, count) => items.inc({ dataset, outcome }, count),
    lostBytes: (dataset, bytes) => lost.inc({ dataset }, bytes),
    attempt(dataset, outcome, took, bytes) {
      seconds.observe({ dataset, outcome }, took);
      sent.inc({ dataset }, bytes);
    },
    spoolBytes: (bytes) => spool.set(bytes),
    unsentBytes: (dataset, bytes) => unsent.set({ dataset }, bytes),
  };
}
