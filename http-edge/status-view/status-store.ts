import type { Checkpoint, ViewChange, ViewTarget } from '../../runtime/kafka/views/view-target.js';
import type { StoreWriter, ViewStore } from '../../runtime/kafka/views/view-store.js';
import type { TaskStatus } from '../../schemas/generated/task-status.js';
import { acceptedAt, encodeEntry, encodeReference, supersedes } from './entry.js';

/** Must change whenever the layout of an entry or of an index key does. */
export const statusStoreFormat = 'task-status/1';

/** A transaction blocks the event loop, so it applies this many changes at most. */
const changesPerTransaction = 1_000;
const purgeRounds = 10;

/** Statuses in the local store. A status only ever moves forward. */
export class StatusStore implements ViewTarget<TaskStatus> {
  constructor(
    private readonly store: ViewStore,
    private readonly retentionMs: number,
    private readonly now: () => number = Date.now,
    /** Asked about each status that has a result. If false, only its record's offset is stored. */
    private readonly keepsResults: () => boolean = () => true,
  ) {}

  /** The entry, if there is one that is not past its retention; valid only until the next read. */
  find(taskId: string): Buffer | undefined {
    const entry = this.store.get(taskId);
    return entry === undefined || acceptedAt(entry) < this.oldestKept() ? undefined : entry;
  }

  checkpoint(): Checkpoint | undefined {
    return this.store.checkpoint();
  }

  clear(): Promise<void> {
    return this.store.clear();
  }

  async apply(changes: readonly ViewChange<TaskStatus>[], checkpoint: Checkpoint): Promise<void> {
    let start = 0;
    do {
      const end = start + changesPerTransaction;
      const part = changes.slice(start, end);
      await this.store.write((writer) => {
        for (const change of part) this.applyOne(writer, change);
        // The checkpoint is saved with the last chunk: repeating a change is harmless, skipping one is not.
        if (end >= changes.length) writer.saveCheckpoint(checkpoint);
      });
      start = end;
    } while (start < changes.length);
  }

  /** Removes tasks past their retention, 10,000 at most; returns how many. */
  async purge(): Promise<number> {
    let purged = 0;
    for (let round = 0; round < purgeRounds; round++) {
      const expired = this.store.indexed(
        hourKey(this.oldestKept() - microsecondsPerHour),
        changesPerTransaction,
      );
      if (expired.length === 0) break;
      await this.store.write((writer) => {
        for (const key of expired) {
          writer.remove(key.slice(hourDigits));
          writer.removeIndex(key);
        }
      });
      purged += expired.length;
    }
    return purged;
  }

  private oldestKept(): number {
    return (this.now() - this.retentionMs) * 1_000;
  }

  private applyOne(writer: StoreWriter, { key, value, offset }: ViewChange<TaskStatus>): void {
    const stored = writer.get(key);
    if (value === null) {
      if (stored === undefined) return;
      writer.removeIndex(hourKey(acceptedAt(stored)) + key);
      writer.remove(key);
      return;
    }
    if (value.accepted_at < this.oldestKept()) return;
    if (stored === undefined) writer.putIndex(hourKey(value.accepted_at) + key);
    else if (!supersedes(value, stored)) return;
    const isWhole = value.result === null || this.keepsResults();
    writer.put(key, isWhole ? encodeEntry(value) : encodeReference(value, offset));
  }
}

const microsecondsPerHour = 3_600_000_000;
const hourDigits = 8;

/** The hour of acceptance, so that the index is ordered by age; the task id follows it. */
function hourKey(micros: number): string {
  const hour = Math.max(0, Math.floor(micros / microsecondsPerHour));
  return String(hour).padStart(hourDigits, '0');
}
