import { Histogram, type Registry } from 'prom-client';

export interface GatheredHistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  /** Upper bounds, rising. */
  readonly buckets: readonly number[];
  readonly registry: Registry;
}

/**
 * A histogram whose observations cost two additions: prom-client's own names and checks its labels anew each time,
 * which is more than all other accounting of a short request. What is scraped is the same.
 */
export class GatheredHistogram extends Histogram {
  private readonly series: Series[] = [];
  private readonly shape: GatheredHistogramOptions;

  constructor(options: GatheredHistogramOptions) {
    const { name, help, labelNames, buckets, registry } = options;
    super({ name, help, labelNames, buckets: [...buckets], registers: [registry] });
    this.shape = options;
  }

  /** Where values with these labels go, in the order of their names; to be asked for once, and kept. */
  gather(...labels: readonly string[]): (value: number) => void {
    const { labelNames, buckets } = this.shape;
    const named = Object.fromEntries(labelNames.map((name, at) => [name, labels[at] ?? '']));
    const series = new Series(named, buckets);
    this.series.push(series);
    return (value) => series.observe(value);
  }

  override get(): ReturnType<Histogram['get']> {
    const { name, help } = this.shape;
    const values = this.series.filter(({ count }) => count > 0).flatMap((series) => series.values(name));
    // prom-client's types have its enum and a collect function here; it needs neither.
    const metric = { name, help, type: 'histogram', aggregator: 'sum', values };
    return Promise.resolve(metric as unknown as Awaited<ReturnType<Histogram['get']>>);
  }

  /** What prom-client asks for in place of `get` where it writes text. */
  getForPromString(): ReturnType<Histogram['get']> {
    return this.get();
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

  observe(value: number): void {
    let bucket = 0;
    while (value > (this.bounds[bucket] ?? Infinity)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sum += value;
  }

  /** A bucket counts all that is not above its bound. */
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
