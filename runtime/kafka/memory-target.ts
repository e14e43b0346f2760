import type { Checkpoint } from './checkpoint.js';
import type { ViewChange, ViewTarget } from './compacted-view.js';

/** A small compacted topic in memory: the last value of each key. Read from the start of the topic at every start. */
export class MemoryTarget<Value> implements ViewTarget<Value> {
  private readonly values = new Map<string, Value>();

  get(key: string): Value | undefined {
    return this.values.get(key);
  }

  all(): Value[] {
    return [...this.values.values()];
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
      else this.values.set(key, value);
    }
    return Promise.resolve();
  }
}
