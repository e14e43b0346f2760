import { AcquiredPartitions } from '../kafka/consume/assigned-partition.js';
import { PartitionLost, type SinkEnvironment, type Assignment } from './environment.js';
import { PartitionSink } from './partition-sink.js';
import type { RunStart } from './starting-point.js';

/** The partitions of this process, from one rebalance to the next; each is acquired again after every rebalance. */
export class Assignments {
  private ending = new AbortController();
  private assigned: ReadonlySet<number> = new Set();
  private readonly sinks = new AcquiredPartitions<PartitionSink>();

  constructor(
    private readonly environment: SinkEnvironment,
    private readonly find: (partition: number, assignment: Assignment) => Promise<RunStart>,
  ) {}

  begin(partitions: readonly number[]): void {
    this.end();
    this.ending = new AbortController();
    this.assigned = new Set(partitions);
  }

  end(): void {
    this.ending.abort(new PartitionLost());
    this.assigned = new Set();
    void this.sinks.forgetAll(); // those under way end with their assignment
  }

  assignmentOf(partition: number): Assignment {
    const ended = this.ending.signal;
    const owned = this.assigned.has(partition);
    return {
      ended,
      check() {
        if (!owned || ended.aborted) throw new PartitionLost();
      },
    };
  }

  of(partition: number, assignment: Assignment): Promise<PartitionSink> {
    return this.sinks.of(partition, async () => {
      const start = await this.find(partition, assignment);
      return new PartitionSink(this.environment, partition, assignment, start);
    });
  }

  /** To be called after a failure: the committed offset then decides where the partition continues. */
  drop(partition: number): void {
    this.sinks.forget(partition);
  }

  /** Ignores a partition that is not acquired yet: it will be read from its position. */
  passOver(partition: number, first: number, last: number): void {
    this.sinks.present(partition)?.passOver(first, last);
  }
}
