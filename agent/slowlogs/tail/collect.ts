import { createHash } from 'node:crypto';
import type { LoggedOperation } from '../parse/logged-operation.js';
import { parseEntry } from '../parse/parse.js';
import { unreadable } from './discover.js';
import { contentOf, identityOf, openLog, type LogFile, type OpenLog } from './log-file.js';
import type { Position, TailState } from './positions.js';
import { readEntries, type Entry } from './read-entries.js';

/** An operation with the id of its entry. */
export interface TakenOperation {
  readonly id: string;
  readonly operation: LoggedOperation;
}

export interface CollectOptions {
  readonly files: readonly LogFile[];
  readonly state: Pick<TailState, 'positions' | 'taken'>;
  /** When these logs were first looked at, milliseconds since 1970. */
  readonly since: number;
  readonly minDurationMs: number;
  readonly maxEntries: number;
  /** The cluster's; entries of another one, whose logs lie beside, are passed over. */
  readonly clusterUuid: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface Collected {
  /** The slowest, no more than wanted, in the order of their time. */
  readonly operations: readonly TakenOperation[];
  readonly positions: TailState['positions'];
  /** Entries that were passed over, by why. */
  readonly leftOut: Readonly<Record<'over_limit' | 'too_short' | 'other_cluster' | 'unreadable', number>>;
  readonly notes: readonly string[];
}

/** A plain log that has not changed for so long has no entry that goes on. */
const settledMs = 2_000;
/** Bytes of one file that are read in one collection, and of one that was there before the agent. */
const mostBytes = 64 * 1024 * 1024;

/** The position in a compressed file that has been read to its end: it will not change. */
const wholly = Number.MAX_SAFE_INTEGER;

/** Reads on in every file from where it stands. Changes nothing: who stores the positions decides what was read. */
export async function collectOperations(options: CollectOptions): Promise<Collected> {
  const { files, state, now } = options;
  const gathering = new Gathering(options);
  const positions: Record<string, Position> = { ...state.positions };
  const done = new Set<string>();
  const readOn = async (log: OpenLog): Promise<void> => {
    const identity = await identityOf(log);
    if (identity === null || done.has(identity)) return;
    const from = positions[identity]?.offset ?? startOf(log.file, options);
    const offset = await gathering.read(log, identity, from);
    positions[identity] = { offset, seenAt: now };
    done.add(identity);
  };
  // What is compressed is read last: while it is being compressed, the file that it was is there as well.
  for (const { path } of [...files].sort((a, b) => Number(a.compressed) - Number(b.compressed))) {
    try {
      const log = await openLog(path);
      if (log !== null) await readOn(log).finally(() => log.handle.close());
    } catch (error) {
      gathering.notes.push(unreadable(path, error));
    }
  }
  return { ...gathering.result(), positions };
}

/** The clock that files are stamped by may be some milliseconds behind. */
const clockSlackMs = 1_000;

/** What was compressed before the agent came is history; of a large file that it found, only the end is news. */
function startOf(file: LogFile, { since, state }: CollectOptions): number {
  if (file.compressed) return file.changedAt < since - clockSlackMs ? wholly : 0;
  const isFirst = Object.keys(state.positions).length === 0;
  return isFirst ? Math.max(0, file.size - mostBytes) : 0;
}

class Gathering {
  readonly notes: string[] = [];
  readonly #options: CollectOptions;
  readonly #taken: ReadonlySet<string>;
  readonly #leftOut = { over_limit: 0, too_short: 0, other_cluster: 0, unreadable: 0 };
  #operations: readonly TakenOperation[] = [];

  constructor(options: CollectOptions) {
    this.#options = options;
    this.#taken = new Set(options.state.taken);
  }

  /**
   * Gives where to go on. A file that is shorter than what was read of it was truncated, and begins anew. Rejects where
   * the file can't be read to its end, and then nothing of it counts.
   */
  async read(log: OpenLog, identity: string, known: number): Promise<number> {
    const { file } = log;
    if (file.compressed && known === wholly) return known;
    const from = !file.compressed && known > file.size ? 0 : known;
    if (!file.compressed && from === file.size) return from;
    const finished = file.compressed || this.#options.now - file.changedAt >= settledMs;
    const entries: Entry[] = [];
    let operations: readonly TakenOperation[] = this.#operations;
    let offset = from;
    const take = (): void => {
      operations = this.#slowest([...operations, ...this.#operationsOf(entries.splice(0), identity)]);
    };
    for await (const entry of readEntries(contentOf(log, from), from, finished)) {
      entries.push(entry);
      if (entries.length >= 1_000) take();
      offset = entry.end;
      if (offset - from >= mostBytes && !file.compressed) break;
    }
    take();
    this.#operations = operations;
    return file.compressed ? wholly : offset;
  }

  #operationsOf(entries: readonly Entry[], identity: string): readonly TakenOperation[] {
    return entries.flatMap((entry) => {
      const parsed = parseEntry(entry.text);
      if (parsed.is === 'unreadable') this.#leftOut.unreadable += 1;
      if (parsed.is !== 'operation' || !this.#isWanted(parsed.operation)) return [];
      const id = idOf(entry, identity);
      return this.#taken.has(id) ? [] : [{ id, operation: parsed.operation }];
    });
  }

  #isWanted({ clusterUuid, tookMs }: LoggedOperation): boolean {
    if (clusterUuid !== null && clusterUuid !== this.#options.clusterUuid) this.#leftOut.other_cluster += 1;
    else if (tookMs < this.#options.minDurationMs) this.#leftOut.too_short += 1;
    else return true;
    return false;
  }

  /** What is taken already counts for the collection that took it: what was logged since has the whole limit. */
  #slowest(operations: readonly TakenOperation[]): readonly TakenOperation[] {
    const { maxEntries } = this.#options;
    if (operations.length <= maxEntries) return operations;
    this.#leftOut.over_limit += operations.length - maxEntries;
    return operations.toSorted((a, b) => b.operation.tookMs - a.operation.tookMs).slice(0, maxEntries);
  }

  result(): Omit<Collected, 'positions'> {
    const operations = this.#operations.toSorted((a, b) => a.operation.at - b.operation.at);
    return { operations, leftOut: this.#leftOut, notes: this.notes };
  }
}

/** The same for the same entry of the same file, whatever the file is called, and for no other. */
function idOf({ offset, text }: Entry, identity: string): string {
  return createHash('sha256').update(`${identity}\n${offset}\n${text}`).digest('hex').slice(0, 32);
}
