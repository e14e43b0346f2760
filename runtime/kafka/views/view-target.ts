import type { Checkpoint } from './checkpoint.js';

/** Where a view keeps what it has read. Applying the same changes again, or older ones later, must change nothing. */
export interface ViewTarget<Value> {
  /** How far the kept data goes; undefined where there is none. */
  checkpoint(): Checkpoint | undefined;
  /** Forgets everything. */
  clear(): Promise<void>;
  /** Takes the changes and the checkpoint, both or neither as seen by a later start. */
  apply(changes: readonly ViewChange<Value>[], checkpoint: Checkpoint): Promise<void>;
}

/** A null value is a deletion. */
export interface ViewChange<Value> {
  readonly key: string;
  readonly value: Value | null;
}
