import type { Histogram, Registry } from 'prom-client';

export interface GatheredHistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[];
  readonly registry: Registry;
}

/**
 * A histogram whose observations cost two additions. prom-client checks the label names at each one, which
 * costs more than all other accounting of a short request. The scraped text is the same. This is no
 * prom-client Histogram, so that nobody records with its methods: those values would not be scraped.
 */
export class GatheredHistogram {
  readonly name: string;
  private readonly series = new Map<string, Series>();

  constructor(private readonly shape: GatheredHistogramOptions) {
    this.name = shape.name;
    // A registry needs the name, `get` and `reset` of a metric; its type asks for a whole Histogram.
    shape.registry.registerMetric(this as unknown as Histogram);
  }

  /**
   * Returns the function that records values with these labels, in the order of their names. The same labels give the
   * same series. Call it once, and keep the result.
   */
  gather(...labels: readonly string[]): (value: number) => void {
    const { labelNames, buckets } = this.shape;
    const ofNames = labelNames.map((_, at) => labels[at] ?? '');
    const key = JSON.stringify(ofNames);
    const present = this.series.get(key);
    const series =
      present ??
      new Series(Object.fromEntries(labelNames.map((name, at) => [name, ofNames[at] ?? ''])), buckets);
    this.series.set(key, series);
    return (value) => series.observe(value);
  }

  get(): ReturnType<Histogram['get']> {
    const { name, help } = this.shape;
    const told = [...this.series.values()].filter(({ count }) => count > 0);
    const values = told.flatMap((series) => series.values(name));
    // prom-client's types demand an enum and a collect function here; its code needs neither.
    const metric = { name, help, type: 'histogram', aggregator: 'sum', values };
    return Promise.resolve(metric as unknown as Awaited<ReturnType<Histogram['get']>>);
  }

  reset(): void {
    for (const series of this.series.values()) series.reset();
  }
}

interface Value {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

class Series {
  private readonly counts: number[];
  private sum = 0;

  constructor(
    private readonly labels: Readonly<Record<string, string>>,
    private readonly bounds: readonly number[],
  ) {
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  get count(): number {
    return this.counts.reduce((sum, count) => sum + count, 0);
  }

  reset(): void {
    this.counts.fill(0);
    this.sum = 0;
  }

  /** Ignores values that are not finite: one of them would spoil the sum for the life of the process. */
  observe(value: number): void {
    if (!Number.isFinite(value)) return;
    let bucket = 0;
    while (value > (this.bounds[bucket] ?? Infinity)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sum += value;
  }

  /** A bucket counts all values up to its bound. */
  values(name: string): readonly Value[] {
    const { labels, bounds, count, sum } = this;
    let upTo = 0;
    return [
      ...bounds.map((le, at) => ({
        metricName: `${name}_bucket`,
        labels: { le, ...labels },
        value: (upTo += this.counts[at] ?? 0),
      })),
      { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}
