import type { Outbox } from '../../component.js';
import { Mutex } from '../../mutex.js';
import type { ClusterNamed, TailState } from '../tail/positions.js';
import type { LedgerFile } from './ledger-file.js';
import { ledTo, pageNamed, settled, tailIn, withTail, type LedgerState } from './ledger-state.js';
import { leftPages, withoutGone } from './left-pages.js';

/** An entry, identified by its id. */
export interface Identified {
  readonly id: string;
}

/** One page of the ledger: an endpoint's, or a cluster's. */
export interface Tail {
  state(): TailState;
  /**
   * To be called before entries are gathered: afterwards it is known whether the last put was taken, whatever
   * happened to it.
   */
  settle(): Promise<void>;
  /** Resolves once the change is durable; if it rejects, nothing has changed. */
  change(change: Partial<TailState>): Promise<void>;
  /** The page of the cluster that this endpoint leads to, once that is durable. */
  leadsTo(cluster: ClusterNamed): Promise<Tail>;
  /** Puts entries into the outbox: once it resolves, they are among the taken ones. */
  put(items: readonly Identified[]): Promise<void>;
}

const dataset = 'slow-operations';

/**
 * Knows for every entry whether it was put, through failures and kills in any order. All clusters share the
 * ledger, as they share the outbox: a mutex serialises them. Before a put, its intent is made durable,
 * together with everything that is known of earlier puts. So the disk always has the last put that can have
 * been tried. Whether it was taken shows in whether the outbox has grown since.
 */
export class Ledger {
  private state: LedgerState;
  private readonly mutex = new Mutex();

  private constructor(
    private readonly file: LedgerFile,
    private readonly outbox: Outbox,
    state: LedgerState,
  ) {
    this.state = state;
  }

  /** A put that a crash has left open is settled before the next one. */
  static async open(file: LedgerFile, outbox: Outbox): Promise<Ledger> {
    return new Ledger(file, outbox, await file.read());
  }

  /** The page of that name; an empty one if there is none. */
  tail(name: string): Tail {
    return {
      state: () => tailIn(this.state, name),
      settle: () => this.mutex.run(() => this.settle()),
      change: (change) => this.mutex.run(() => this.write(withTail(this.state, name, change))),
      leadsTo: (cluster) => this.mutex.run(() => this.leadsTo(name, cluster)),
      put: (items) => this.mutex.run(() => this.put(name, items)),
    };
  }

  /**
   * Removes clusters to which none of these endpoints leads any more, once none of their files has existed
   * for a month: until then they might be needed again. Call it whenever the endpoints change, and at
   * intervals.
   */
  async forgetGone(
    endpoints: ReadonlySet<string>,
    areThere: (logs: TailState) => Promise<boolean>,
    now: number,
  ): Promise<void> {
    const there = new Set<string>();
    for (const { name, logs } of leftPages(this.state, endpoints))
      if (logs !== null && (await areThere(logs))) there.add(name);
    await this.mutex.run(async () => {
      const state = withoutGone(this.state, endpoints, there, now);
      if (state !== this.state) await this.write(state);
    });
  }

  private async settle(): Promise<void> {
    if (this.state.intent !== null)
      this.state = settled(this.state, await this.outbox.bytesCommitted(dataset));
  }

  private async leadsTo(endpoint: string, cluster: ClusterNamed): Promise<Tail> {
    const state = ledTo(this.state, endpoint, cluster);
    if (state !== this.state) await this.write(state);
    return this.tail(pageNamed(cluster.uuid));
  }

  /**
   * A failed put stays an open intent: until the outbox can tell what it has committed, a crash can bring the
   * put back.
   */
  private async put(tail: string, items: readonly Identified[]): Promise<void> {
    const bytesCommitted = await this.outbox.bytesCommitted(dataset);
    this.state = settled(this.state, bytesCommitted);
    await this.write({
      ...this.state,
      intent: { tail, extent: bytesCommitted, ids: items.map(({ id }) => id) },
    });
    await this.outbox.put(dataset, items);
    this.state = settled(this.state, Infinity);
  }

  private async write(state: LedgerState): Promise<void> {
    await this.file.write(state);
    this.state = state;
  }
}
