import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../../runtime/logging.js';
import { reasonOf } from '../../../runtime/errors.js';
import type { HeldPartitions } from '../../../runtime/kafka/views/held-partitions.js';
import { openViewStore, type ViewStore } from '../../../runtime/kafka/views/view-store.js';
import type { TaskStatus } from '../../../schemas/generated/task-status.js';
import { copyOf, isReference, workspaceOf } from '../entry.js';
import { StatusStore } from '../status-store.js';
import { NotKept, type StatusQuestion } from './question.js';
import type { ResultsInLog } from './results-in-log.js';

export interface StatusShardsOptions {
  readonly folder: string;
  readonly retentionMs: number;
  readonly partitions: HeldPartitions<TaskStatus>;
  readonly results: Pick<ResultsInLog, 'entryOf'>;
  /** Whether the results of this partition are to be stored here. */
  readonly keepsResults: (partition: number) => boolean;
  readonly logger: Logger;
}

/** Not the format of a whole view, which has no references. */
const shardFormat = 'task-status-shard/1';

interface Shard {
  readonly store: ViewStore;
  readonly statuses: StatusStore;
}

const purgeEveryMs = 1_000;

/**
 * The partitions of the status topic that this edge keeps. Each has its own store, so one that moves away
 * leaves no data behind. Calls to take and to drop must not overlap.
 */
export class StatusShards {
  private readonly shards = new Map<number, Shard>();
  private purging: Promise<unknown> = Promise.resolve();
  private readonly purger = setInterval(() => this.purgeSoon(), purgeEveryMs).unref();

  constructor(private readonly options: StatusShardsOptions) {
    mkdirSync(options.folder, { recursive: true });
  }

  /** The partitions that are kept, caught up or not. */
  kept(): readonly number[] {
    return [...this.shards.keys()];
  }

  /** The partitions that have a store, including the stores of an earlier process. */
  stored(): readonly number[] {
    return readdirSync(this.options.folder).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  }

  isCaughtUp(partition: number): boolean {
    return this.shards.has(partition) && this.options.partitions.isCaughtUp(partition);
  }

  take(partition: number): void {
    const { logger, retentionMs, partitions, keepsResults } = this.options;
    const store = openViewStore({ folder: this.folderOf(partition), format: shardFormat, logger });
    const statuses = new StatusStore(store, retentionMs, Date.now, () => keepsResults(partition));
    this.shards.set(partition, { store, statuses });
    partitions.hold(partition, statuses);
  }

  /** Stops keeping the partition, and deletes its store. */
  async drop(partition: number): Promise<void> {
    await this.close(partition);
    rmSync(this.folderOf(partition), { recursive: true, force: true });
  }

  /** The entry, if it is known without waiting; valid only until the next read. Throws NotKept. */
  find(partition: number, { taskId, workspace }: StatusQuestion): Buffer | undefined {
    if (!this.isCaughtUp(partition)) throw new NotKept(partition);
    const entry = this.shards.get(partition)?.statuses.find(taskId);
    return entry !== undefined && (workspace === undefined || workspaceOf(entry) === workspace)
      ? entry
      : undefined;
  }

  /** Like `answer`, but with the result if a reader asks. Also NotKept if the result can't be read. */
  async wholeAnswer(partition: number, question: StatusQuestion): Promise<Buffer | undefined> {
    const entry = await this.answer(partition, question);
    return entry === undefined || !needsResult(entry, question)
      ? entry
      : this.complete(partition, question, entry);
  }

  /** The whole entry that belongs to this reference. Rejects with NotKept. */
  async complete(partition: number, { taskId }: StatusQuestion, reference: Buffer): Promise<Buffer> {
    const entry = await this.options.results.entryOf(partition, taskId, reference);
    if (entry === undefined) throw new NotKept(partition);
    return entry;
  }

  /**
   * A copy of the entry, or of the reference. A miss waits until the partition is read up to its end. For a
   * reader it also waits until an idempotent append is decided: a task under an Idempotency-Key is
   * acknowledged a moment before its record can be read. Rejects with NotKept or KAFKA_UNREACHABLE.
   */
  async answer(partition: number, question: StatusQuestion): Promise<Buffer | undefined> {
    const { partitions } = this.options;
    const waits = [
      () => partitions.upToDate(partition),
      ...(question.workspace === undefined ? [] : [() => partitions.decided(partition, question.taskId)]),
    ];
    for (let wait = 0; ; wait++) {
      const entry = this.find(partition, question);
      if (entry !== undefined) return copyOf(entry);
      const more = waits[wait];
      if (more === undefined) return undefined;
      await more().catch((error: unknown) => {
        throw this.isCaughtUp(partition) ? error : new NotKept(partition);
      });
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.purger);
    await Promise.all(this.kept().map((partition) => this.close(partition)));
  }

  private async close(partition: number): Promise<void> {
    const shard = this.shards.get(partition);
    // This comes first: nobody may read a store that is being closed.
    this.shards.delete(partition);
    await this.options.partitions.release(partition);
    await this.purging;
    await shard?.store.close();
  }

  private purgeSoon(): void {
    this.purging = this.purging.then(async () => {
      for (const [partition, { statuses }] of [...this.shards])
        if (this.shards.has(partition))
          await statuses.purge().catch((error: unknown) => this.notPurged(error));
    });
  }

  private notPurged(error: unknown): void {
    this.options.logger.error(
      { event: 'tasks-not-purged', reason: reasonOf(error) },
      'old tasks could not be purged',
    );
  }

  private folderOf(partition: number): string {
    return join(this.options.folder, String(partition));
  }
}

/** Whether the entry lacks what is asked for: repeated requests ask for no result. */
export function needsResult(entry: Buffer, { workspace }: StatusQuestion): boolean {
  return workspace !== undefined && isReference(entry);
}
