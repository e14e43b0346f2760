import type { Checkpoint } from './checkpoint.js';

/** Stores what a view has read. To apply the same changes again, or older ones later, must change nothing. */
export interface ViewTarget<Value> {
  /** How far the stored data goes; undefined where there is none. */
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
  /** Of its record, in its partition. */
  readonly offset: number;
}

/** A small compacted topic in memory: the last value of each key. Read from the start of the topic at every start. */
export class MemoryTarget<Value> implements ViewTarget<Value> {
  private readonly values = new Map<string, Value>();

  /** `merge` combines an earlier record with a later one of its key; the later one replaces it unless given. */
  constructor(private readonly merge: (earlier: Value, later: Value) => Value = (_, later) => later) {}

  get(key: string): Value | undefined {
    return this.values.get(key);
  }

  all(): Value[] {
    return [...this.values.values()];
  }

  /** Removes values that are no longer of use before the topic's retention, or compaction, removes them. */
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
