import { createHash } from 'node:crypto';
import { maxAgeMs } from '../../../schemas/max-age.js';
import { charactersOf, type LoggedOperation, type Parsed } from '../parse/logged-operation.js';
import { parseEntry } from '../parse/parse.js';
import { hostOffset } from '../parse/values.js';
import type { CollectOptions, TakenOperation } from './collection.js';
import { isDamage } from './decompressed.js';
import { unreadable } from './discover.js';
import type { Identity } from './identity.js';
import { contentOf, type LogFile, type OpenLog } from './log-file.js';
import { wholly, type Position } from './positions.js';
import { readEntries, type Entry } from './read-entries.js';

type ReadTo = Omit<Position, 'seenAt'>;

/** In a plain log that has not changed for this long, the last entry is complete. */
const settledMs = 2_000;
/** How many bytes of one file are read in one collection, and of one that existed before the agent. */
export const mostBytes = 64 * 1024 * 1024;
/**
 * The same for a compressed file, which is decompressed from its beginning each time: as large as Elasticsearch lets
 * one grow.
 */
const mostDecompressed = 1024 * 1024 * 1024;
/** An entry that is almost too old would be too old by the time it is sent, or by the clock of the server. */
const sendingMs = 3_600_000;
/** Characters of entries that wait to be parsed, and of operations that wait to be put. */
const mostPending = 4 * 1024 * 1024;
const mostHeld = 32 * 1024 * 1024;

/** What one collection finds in the files that it reads. */
export class Gathering {
  readonly diagnostics: string[] = [];
  readonly leftOut = { over_limit: 0, too_short: 0, too_old: 0, other_cluster: 0, unreadable: 0 };
  private readonly options: CollectOptions;
  /** Ids of entries that were put before, and have not been found again in their files. */
  private readonly taken: Set<string>;
  private found: readonly TakenOperation[] = [];
  private held = 0;
  private isOver = false;
  private failed = false;
  private damaged = false;

  constructor(options: CollectOptions) {
    this.options = options;
    this.taken = new Set(options.state.taken);
  }

  /** Whether it has reached a limit: the rest waits for the next collection. */
  get endedEarly(): boolean {
    return this.isOver;
  }

  /** Whether the limit of memory is reached. */
  get isFull(): boolean {
    return this.held >= mostHeld;
  }

  /** Whether every file that can be there was read as far as possible. */
  get isComplete(): boolean {
    return !this.isOver && !this.failed && !this.options.hidden;
  }

  /** Whether all of their content was read: the rest of a damaged or incomplete file can still come. */
  get isWhole(): boolean {
    return this.isComplete && !this.damaged;
  }

  /** In the order of their time. */
  get operations(): readonly TakenOperation[] {
    return this.found.toSorted((a, b) => a.operation.at - b.operation.at);
  }

  get notMet(): readonly string[] {
    return [...this.taken];
  }

  endEarly(): void {
    this.isOver = true;
  }

  fail(path: string, error: unknown): string {
    const problem = unreadable(path, error);
    this.diagnostics.push(problem);
    if (isDamage(error)) this.damaged = true;
    else this.failed = true;
    return problem;
  }

  /**
   * Returns where to continue. A file that can't be read to its end is read as far as possible. Entries from the time
   * `until` on (microseconds since 1970) are not taken, and nothing is read after the first of them.
   */
  async read(log: OpenLog, identity: Identity, known: ReadTo, until = Infinity): Promise<ReadTo> {
    const { file } = log;
    const before = file.compressed ? this.asBefore(file, known) : undefined;
    if (before !== undefined) return before;
    const from = file.compressed ? known.offset : startIn(file, known.offset);
    if (!file.compressed && from === file.size) return { offset: from };
    const waiting = new Waiting();
    let isOver = false;
    let isReached = false;
    let problem: string | null = null;
    try {
      for await (const entry of readEntries(contentOf(log, from), from, this.isFinished(file))) {
        waiting.add(entry);
        if (waiting.isEnough) isReached = this.take(waiting, identity, until);
        if (isReached) break;
        isOver = this.isFull || entry.end - from >= (file.compressed ? mostDecompressed : mostBytes);
        if (isOver) break;
      }
    } catch (error) {
      problem = this.fail(file.path, error);
    }
    if (this.take(waiting, identity, until) || isReached) return { offset: wholly };
    this.isOver ||= isOver;
    const offset = waiting.end ?? from;
    const { size, changedAt } = file;
    return file.compressed && !isOver ? { offset, asRead: { size, changedAt, problem } } : { offset };
  }

  /** A compressed file that has not changed since it was read as far as possible is not decompressed again. */
  private asBefore({ size, changedAt }: LogFile, known: ReadTo): ReadTo | undefined {
    const { offset, asRead } = known;
    if (offset === wholly) return known;
    if (asRead?.size !== size || asRead.changedAt !== changedAt) return undefined;
    if (asRead.problem !== null) {
      this.diagnostics.push(asRead.problem);
      this.damaged = true;
    }
    return known;
  }

  private isFinished({ compressed, changedAt }: LogFile): boolean {
    return compressed || this.options.now - changedAt >= settledMs;
  }

  /** Whether one of the entries is of the time `until` or later: no entry from there on is taken. */
  private take(waiting: Waiting, identity: Identity, until: number): boolean {
    const entries: readonly ParsedEntry[] = waiting
      .take()
      .map((entry) => ({ entry, parsed: parseEntry(entry.text, hostOffset, entry.tail) }));
    const reached = entries.findIndex(
      ({ parsed }) => parsed.is === 'operation' && parsed.operation.at >= until,
    );
    const wanted = reached === -1 ? entries : entries.slice(0, reached);
    this.found = this.slowest([...this.found, ...this.operationsOf(wanted, identity)]);
    this.held = this.found.reduce((sum, { operation }) => sum + charactersOf(operation), 0);
    return reached !== -1;
  }

  private operationsOf(entries: readonly ParsedEntry[], identity: Identity): readonly TakenOperation[] {
    return entries.flatMap(({ entry, parsed }) => {
      if (parsed.is === 'unreadable') this.leftOut.unreadable += 1;
      if (parsed.is !== 'operation' || !this.isWanted(parsed.operation)) return [];
      const id = idOf(entry, identity);
      return this.taken.delete(id) ? [] : [{ id, operation: parsed.operation }];
    });
  }

  private isWanted({ at, clusterUuid, tookMs }: LoggedOperation): boolean {
    if (clusterUuid !== null && clusterUuid !== this.options.clusterUuid) this.leftOut.other_cluster += 1;
    else if (tookMs < this.options.minDurationMs) this.leftOut.too_short += 1;
    else if (at / 1_000 < this.options.now - maxAgeMs + sendingMs) this.leftOut.too_old += 1;
    else return true;
    return false;
  }

  /**
   * Entries that are taken already counted in the collection that took them: later ones have all of the
   * limit.
   */
  private slowest(operations: readonly TakenOperation[]): readonly TakenOperation[] {
    const { maxEntries } = this.options;
    if (operations.length <= maxEntries) return operations;
    this.leftOut.over_limit += operations.length - maxEntries;
    return operations.toSorted((a, b) => b.operation.tookMs - a.operation.tookMs).slice(0, maxEntries);
  }
}

/** A file that is shorter than what was read of it was truncated, and is read from its start. */
function startIn({ size }: LogFile, offset: number): number {
  if (offset === wholly) return size; // it was history while it was compressed
  return offset > size ? 0 : offset;
}

interface ParsedEntry {
  readonly entry: Entry;
  readonly parsed: Parsed;
}

/** Entries that were read, and wait to be parsed together. */
class Waiting {
  private entries: Entry[] = [];
  private length = 0;
  /** The end of the last entry that was added. */
  end: number | undefined;

  get isEnough(): boolean {
    return this.entries.length >= 1_000 || this.length >= mostPending;
  }

  add(entry: Entry): void {
    this.entries.push(entry);
    this.length += entry.text.length + (entry.tail?.length ?? 0);
    this.end = entry.end;
  }

  take(): readonly Entry[] {
    const entries = this.entries;
    this.entries = [];
    this.length = 0;
    return entries;
  }
}

/** The same id for the same entry of the same file, whatever the file's name, and for no other. */
function idOf({ offset, text }: Entry, { firstLine }: Identity): string {
  return createHash('sha256').update(`${firstLine}\n${offset}\n${text}`).digest('hex').slice(0, 32);
}
