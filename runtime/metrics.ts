import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { GatheredHistogram } from './gathered-histogram.js';

export type { Counter, Gauge, Registry } from 'prom-client';

/**
 * Prometheus metrics of a process, named `telltale_<thing>_<unit>[_total]`. The registry is passed in, so that the
 * stages of two processes can run in one test without sharing numbers.
 */
export interface Metrics {
  readonly registry: Registry;
  counter<Label extends string = never>(
    name: string,
    help: string,
    labels?: readonly Label[],
  ): Counter<Label>;
  gauge<Label extends string = never>(name: string, help: string, labels?: readonly Label[]): Gauge<Label>;
  /** Buckets are in seconds unless given. */
  histogram<Label extends string = never>(
    name: string,
    help: string,
    labels?: readonly Label[],
    buckets?: readonly number[],
  ): Histogram<Label>;
  /** For values that are observed very often; buckets are in seconds. */
  gatheredHistogram(name: string, help: string, labels: readonly string[]): GatheredHistogram;
  /** Called before every reading, for code that keeps plain numbers and hands them over when they are read. */
  beforeReading(handOver: () => void): void;
  /** The current values of a counter, by label set; empty if there is no such counter. */
  valuesOf(counter: string): Promise<readonly CounterValue[]>;
  /** Everything, up to date, in Prometheus' text format; its media type is the registry's. */
  read(): Promise<string>;
}

interface CounterValue {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

type Metric = Counter | Gauge | Histogram | GatheredHistogram;

const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createMetrics(registry: Registry = new Registry()): Metrics {
  const known = new Map<string, Metric>();
  const handOvers: (() => void)[] = [];
  // A stage may be built twice in a process (two lanes): the second one uses the metric that the first one made.
  const once = <M extends Metric>(name: string, make: () => M): M => {
    const present = known.get(name);
    if (present !== undefined) return present as M;
    const made = make();
    known.set(name, made);
    return made;
  };
  return {
    registry,
    counter: (name, help, labels = []) =>
      once(name, () => new Counter({ name, help, labelNames: labels, registers: [registry] })),
    gauge: (name, help, labels = []) =>
      once(name, () => new Gauge({ name, help, labelNames: labels, registers: [registry] })),
    histogram: (name, help, labels = [], buckets = secondsBuckets) =>
      once(
        name,
        () => new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers: [registry] }),
      ),
    gatheredHistogram: (name, help, labelNames) =>
      once(name, () => new GatheredHistogram({ name, help, labelNames, buckets: secondsBuckets, registry })),
    beforeReading: (handOver) => void handOvers.push(handOver),
    async valuesOf(counter) {
      for (const handOver of handOvers) handOver();
      const found = await registry.getSingleMetric(counter)?.get();
      return (found?.values ?? []).map(({ labels, value }) => ({
        labels: Object.fromEntries(Object.entries(labels).map(([name, label]) => [name, String(label)])),
        value,
      }));
    },
    read() {
      for (const handOver of handOvers) handOver();
      return registry.metrics();
    },
  };
}

/**
 * Node's own metrics: event-loop lag, heap, garbage collection. Once per process, because they install
 * observers.
 */
export function collectProcessMetrics(metrics: Metrics): void {
  collectDefaultMetrics({ register: metrics.registry });
}
