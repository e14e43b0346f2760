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
}
