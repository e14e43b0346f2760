import { PartitionLost, type SinkEnvironment, type Tenure } from './environment.js';
import { PartitionSink } from './partition-sink.js';
import type { StartingPoint } from './starting-point.js';

/** The partitions of this process, from one rebalance to the next; each is taken over anew after every one. */
export class Assignments<In> {
  private ending = new AbortController();
  private assigned: ReadonlySet<number> = new Set();
  private sinks = new Map<number, Promise<PartitionSink<In>>>();
  /** Those of them that are there already. */
  private present = new Map<number, PartitionSink<In>>();

  constructor(
    private readonly environment: SinkEnvironment<In>,
    private readonly find: (partition: number, tenure: Tenure) => Promise<StartingPoint>,
  ) {}

  begin(partitions: readonly number[]): void {
    this.end();
    this.ending = new AbortController();
    this.assigned = new Set(partitions);
  }

  end(): void {
    this.ending.abort();
    this.assigned = new Set();
    this.sinks = new Map();
    this.present = new Map();
  }

  tenureOf(partition: number): Tenure {
    const ended = this.ending.signal;
    const owned = this.assigned.has(partition);
    return {
      ended,
      check() {
        if (!owned || ended.aborted) throw new PartitionLost();
      },
    };
  }

  of(partition: number, tenure: Tenure): Promise<PartitionSink<In>> {
    const present = this.sinks.get(partition);
    if (present !== undefined) return present;
    const taken = this.find(partition, tenure).then(
      (start) => new PartitionSink(this.environment, partition, tenure, start),
    );
    this.sinks.set(partition, taken);
    taken.then(
      (sink) => {
        if (this.sinks.get(partition) === taken) this.present.set(partition, sink);
      },
      () => undefined,
    );
    return taken;
  }

  /** After a failure: what is committed decides where it goes on. */
  drop(partition: number): void {
    this.sinks.delete(partition);
    this.present.delete(partition);
  }

  /** What is not taken over yet will be read again from its position. */
  passOver(partition: number, first: number, last: number): void {
    this.present.get(partition)?.passOver(first, last);
  }
}
