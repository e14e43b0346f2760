import { TakenPartitions } from '../kafka/taken-partitions.js';
import { PartitionLost, type SinkEnvironment, type Tenure } from './environment.js';
import { PartitionSink } from './partition-sink.js';
import type { StartingPoint } from './starting-point.js';

/** The partitions of this process, from one rebalance to the next; each is taken over anew after every one. */
export class Assignments {
  private ending = new AbortController();
  private assigned: ReadonlySet<number> = new Set();
  private readonly sinks = new TakenPartitions<PartitionSink>();

  constructor(
    private readonly environment: SinkEnvironment,
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
    void this.sinks.forgetAll(); // those under way end with their tenure
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

  of(partition: number, tenure: Tenure): Promise<PartitionSink> {
    return this.sinks.of(partition, async () => {
      const start = await this.find(partition, tenure);
      return new PartitionSink(this.environment, partition, tenure, start);
    });
  }

  /** After a failure: what is committed decides where it goes on. */
  drop(partition: number): void {
    this.sinks.forget(partition);
  }

  /** What is not taken over yet will be read again from its position. */
  passOver(partition: number, first: number, last: number): void {
    this.sinks.present(partition)?.passOver(first, last);
  }
}
