import { reasonOf, TelltaleError } from '../../runtime/errors.js';
import type { Logger } from '../../runtime/logging.js';
import { maxAgeDays } from '../../schemas/max-age.js';
import type { SlowOperationItem } from '../../schemas/slow-operations.js';
import type { SlowlogSettings } from '../integration/config/file-form.js';
import type { SlowLogInstruments } from './instruments.js';
import type { Tail } from './ledger/ledger.js';
import type { Scrubber } from './scrub-pool.js';
import { collectOperations } from './tail/collect.js';
import type { Collected, TakenOperation } from './tail/collection.js';
import { discoverLogs, type LogPaths } from './tail/discover.js';
import { withoutForgotten, type ClusterNamed } from './tail/positions.js';
import { diagnosticsOfUnread } from './unread-logs.js';

export interface SlowLogWatchOptions {
  readonly settings: SlowlogSettings;
  /** The cluster's identity; null while it does not answer. */
  readonly whoIsIt: () => Promise<ClusterNamed | null>;
  /** The page of its endpoint, which leads to that of the cluster. */
  readonly endpoint: Tail;
  readonly scrubber: Scrubber;
  /**
   * Undefined if this watch may take the cluster's entries. Otherwise the paths where another watch reads
   * them, because two endpoints can lead to one cluster.
   */
  readonly elsewhere: (uuid: string) => LogPaths | undefined;
  readonly digestKey: string;
  readonly instruments: SlowLogInstruments;
  readonly logger: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface SlowLogStatus {
  readonly cluster_uuid: string | null;
  readonly files: readonly string[];
  readonly taken: number;
  readonly left_out: number;
  readonly collected_at: string | null;
  readonly notes: readonly string[];
}

/** Small enough for one frame of the spool, which is on disk as a whole or not at all. */
const chunkBytes = 100 * 1024;

/** Reads the slow logs of one cluster on this host, and puts their entries, scrubbed, into the outbox once. */
export class SlowLogWatch {
  private readonly options: SlowLogWatchOptions;
  private state: SlowLogStatus = {
    cluster_uuid: null,
    files: [],
    taken: 0,
    left_out: 0,
    collected_at: null,
    notes: [],
  };

  constructor(options: SlowLogWatchOptions) {
    this.options = options;
  }

  status(): SlowLogStatus {
    return this.state;
  }

  /**
   * One collection; returns whether more can be read at once. A failure is reported, and the next collection tries
   * again.
   */
  async collect(): Promise<boolean> {
    try {
      return await this.collectNew();
    } catch (error) {
      const isFull = error instanceof TelltaleError && error.code === 'SPOOL_FULL';
      this.report([isFull ? 'the spool is full: entries stay in their files' : reasonOf(error)]);
      return false;
    }
  }

  private async collectNew(): Promise<boolean> {
    const { settings, now, elsewhere, endpoint } = this.options;
    await endpoint.settle();
    const since = await this.since();
    const cluster = (await this.options.whoIsIt()) ?? endpoint.state().cluster;
    const clusterName = cluster?.name ?? null;
    const { files, duplicates, diagnostics, hidden } = await discoverLogs({ ...settings, clusterName });
    if (cluster === null) {
      this.report([
        ...diagnostics,
        'the cluster is not identified yet (the connection test says why): entries stay in their files',
      ]);
      return false;
    }
    const readAt = elsewhere(cluster.uuid);
    if (readAt !== undefined) {
      this.report(await diagnosticsOfUnread(files, { ...readAt, clusterName }));
      return false;
    }
    this.state = { ...this.state, cluster_uuid: cluster.uuid };
    const tail = await endpoint.leadsTo(cluster);
    const collected = await collectOperations({
      files,
      duplicates,
      hidden,
      state: tail.state(),
      since: tail.state().since ?? since,
      minDurationMs: settings.minDurationMs,
      maxEntries: settings.maxEntriesPerCollection,
      clusterUuid: cluster.uuid,
      now: now(),
    });
    await this.handOver(cluster, tail, collected);
    this.state = {
      ...this.state,
      files: files.map(({ path }) => path),
      taken: this.state.taken + collected.operations.length,
      left_out: this.state.left_out + collected.leftOut.over_limit,
      collected_at: new Date(now()).toISOString(),
    };
    this.report([...diagnostics, ...collected.diagnostics, ...leftOutDiagnostics(collected)]);
    return collected.endedEarly;
  }

  /**
   * When these logs were first looked at. It is stored before anything is read, so that a crash does not make
   * more of them history.
   */
  private async since(): Promise<number> {
    const { endpoint, now } = this.options;
    const { since } = endpoint.state();
    if (since !== null) return since;
    const first = now();
    await endpoint.change({ since: first });
    return first;
  }

  /**
   * Moves the positions once everything is put. Which files the entries come from is stored beforehand: while
   * one of the files is missing, its entries must not be forgotten.
   */
  private async handOver(
    cluster: ClusterNamed,
    tail: Tail,
    { operations, positions, begun, taken, isComplete, leftOut }: Collected,
  ): Promise<void> {
    const { instruments, now, settings } = this.options;
    const items = await this.scrubbed(cluster, operations);
    const places = pathsIn(settings);
    if (items.length > 0 && Object.keys(begun).length > 0)
      await tail.change({ positions: { ...tail.state().positions, ...begun }, places });
    for (const chunk of chunksOf(items)) await tail.put(chunk);
    await tail.change({
      positions: isComplete ? withoutForgotten(positions, now()) : positions,
      taken,
      places,
      leftAt: null,
    });
    instruments.count(items, leftOut);
  }

  private scrubbed(
    cluster: ClusterNamed,
    taken: readonly TakenOperation[],
  ): Promise<readonly SlowOperationItem[]> {
    const { maxQueryLength, maxSourceLength, storeSource, queryText } = this.options.settings;
    const limits = { maxQueryLength, maxSourceLength, storeSource, queryText };
    const { digestKey, scrubber } = this.options;
    return scrubber.scrub(taken.map((one) => ({ ...one, cluster, limits, digestKey })));
  }

  /** Logs the diagnostics that are new. */
  private report(diagnostics: readonly string[]): void {
    const news = diagnostics.filter((one) => !this.state.notes.includes(one));
    for (const note of news) this.options.logger.warn({ event: 'slow-logs-note', note }, 'slow logs');
    this.state = { ...this.state, notes: diagnostics };
  }
}

const pathsIn = ({ searchLogPath, indexingLogPath, logDirectories }: SlowlogSettings): LogPaths => ({
  searchLogPath,
  indexingLogPath,
  logDirectories,
});

function leftOutDiagnostics({ leftOut }: Collected): readonly string[] {
  const said = {
    over_limit: 'were skipped, the fastest ones (maxEntriesPerCollection)',
    too_old: `are more than ${maxAgeDays} days old, and were skipped: no server accepts entries that old`,
    unreadable: 'could not be read: their format is unknown, or they are damaged',
    other_cluster: 'belong to another cluster than the one that answers, and were skipped',
  };
  return (['over_limit', 'too_old', 'unreadable', 'other_cluster'] as const)
    .filter((why) => leftOut[why] > 0)
    .map((why) => `${leftOut[why]} of the last collection's entries ${said[why]}`);
}

function chunksOf(items: readonly SlowOperationItem[]): readonly (readonly SlowOperationItem[])[] {
  const chunks: SlowOperationItem[][] = [];
  let bytes = Infinity;
  for (const item of items) {
    const own = Buffer.byteLength(JSON.stringify(item));
    if (bytes + own > chunkBytes) {
      chunks.push([]);
      bytes = 0;
    }
    chunks.at(-1)?.push(item);
    bytes += own;
  }
  return chunks;
}
