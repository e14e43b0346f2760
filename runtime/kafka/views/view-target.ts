import { type LogAccess, logEnd, logStart } from '../consume/log-access.js';

/** How far a view has read, stored with its data in one transaction. */
export interface Checkpoint {
  readonly clusterId: string;
  readonly topic: string;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
  readonly partitions: Readonly<Record<string, PartitionCheckpoint>>;
}

export interface PartitionCheckpoint {
  readonly restartAt: number;
  readonly position: number;
  /** The latest log-append time before `position`, milliseconds; null if nothing was read. */
  readonly lastTimestamp: number | null;
}

/**
 * Compaction forgets deletions after a day (`delete.retention.ms`): a store that missed some would keep deleted keys.
 */
const longestAbsenceMs = 20 * 3_600_000;

/**
 * Why a checkpoint does not fit the present log, or undefined if it does. A topic that was deleted and
 * recreated under its name is recognised by time: its records before the position are younger than all
 * records that were read.
 */
export async function reasonToRebuild(
  checkpoint: Checkpoint | undefined,
  topic: string,
  log: LogAccess,
  now: number,
): Promise<string | undefined> {
  if (checkpoint === undefined) return 'there is no checkpoint';
  if (checkpoint.clusterId !== log.clusterId || checkpoint.topic !== topic) {
    return 'the checkpoint belongs to another cluster or topic';
  }
  if (now - checkpoint.savedAt > longestAbsenceMs)
    return 'the checkpoint is more than 20 hours old, and deletions since then may be compacted away';
  const known = new Map(Object.entries(checkpoint.partitions).map(([id, at]) => [Number(id), at]));
  if ([...known.keys()].some((partition) => !log.partitions.includes(partition))) {
    return 'the topic has fewer partitions than it had';
  }
  return compareWithLog(known, log);
}

async function compareWithLog(
  known: ReadonlyMap<number, PartitionCheckpoint>,
  log: LogAccess,
): Promise<string | undefined> {
  const each = (at: number): Map<number, number> => new Map([...known.keys()].map((id) => [id, at]));
  const afterLast = [...known].flatMap(([id, { lastTimestamp }]) =>
    lastTimestamp === null ? [] : [[id, lastTimestamp + 1] as const],
  );
  const [starts, ends, younger] = await Promise.all([
    log.offsets(each(logStart)),
    log.offsets(each(logEnd)),
    afterLast.length === 0 ? new Map<number, number>() : log.offsets(new Map(afterLast)),
  ]);
  for (const [id, { restartAt, position }] of known) {
    if (position > (ends.get(id) ?? 0)) return `partition ${id} ends before the checkpoint`;
    if (restartAt < (starts.get(id) ?? 0)) return `partition ${id} starts after the checkpoint`;
    const firstYounger = younger.get(id) ?? -1;
    if (firstYounger >= 0 && firstYounger < position) {
      return `partition ${id} has records before the checkpoint that are younger than it`;
    }
  }
  return undefined;
}

/** Stores what a view has read. Applying the same changes again, or older ones later, must change nothing. */
export interface ViewTarget<Value> {
  /** How far the stored data goes; undefined if there is none. */
  checkpoint(): Checkpoint | undefined;
  /** Forgets everything. */
  clear(): Promise<void>;
  /** Stores the changes and the checkpoint: a later start finds both or neither. */
  apply(changes: readonly ViewChange<Value>[], checkpoint: Checkpoint): Promise<void>;
}

/** A null value is a deletion. */
export interface ViewChange<Value> {
  readonly key: string;
  readonly value: Value | null;
  /** The record's offset in its partition. */
  readonly offset: number;
}

/** A small compacted topic in memory: the last value of each key. Read from the start of the topic at every start. */
export class MemoryTarget<Value> implements ViewTarget<Value> {
  private readonly values = new Map<string, Value>();

  /** `merge` combines an earlier value of a key with a later one; by default the later one replaces it. */
  constructor(private readonly merge: (earlier: Value, later: Value) => Value = (_, later) => later) {}

  get(key: string): Value | undefined {
    return this.values.get(key);
  }

  all(): Value[] {
    return [...this.values.values()];
  }

  /** Removes values that are no longer needed, before the topic's retention or compaction removes them. */
  forget(isOld: (value: Value) => boolean): void {
    for (const [key, value] of this.values) if (isOld(value)) this.values.delete(key);
  }

  checkpoint(): Checkpoint | undefined {
    return undefined;
  }

  clear(): Promise<void> {
    this.values.clear();
    return Promise.resolve();
  }

  apply(changes: readonly ViewChange<Value>[]): Promise<void> {
    for (const { key, value } of changes) {
      if (value === null) this.values.delete(key);
      else {
        const earlier = this.values.get(key);
        this.values.set(key, earlier === undefined ? value : this.merge(earlier, value));
      }
    }
    return Promise.resolve();
  }
}
