import { reasonOf } from '../../runtime/errors.js';
import type { Snapshot } from '../../schemas/snapshots.js';
import { CallFailure, failureOfThrown } from './call-failure.js';
import { CapabilityReport } from './capability-report.js';
import { newClusterMemory } from './cluster-memory.js';
import { collectSection } from './collect.js';
import { identityPath, parseIdentity } from './identity.js';
import { itemsOf } from './items.js';
import { RefusalGrace } from './refusal-grace.js';
import { SectionBook } from './section-book.js';
import type { Moment } from './section-state.js';
import type { ClusterIdentity, Collected, Section } from './section.js';
import { nothingKnown, SlowLogThresholdWatch, type KnownThresholds } from './slow-log-thresholds.js';
import type { WatchOptions } from './watch-options.js';
import { messages, type WatchState, type WatchStatus } from './watch-state.js';

/** How long an identity is good for: the cluster behind an endpoint can be another one at any time. */
const identityKeptMs = 5_000;
const longestSleepMs = 60_000;
/** Longer than a node refuses good credentials while it starts. */
const soonMs = 60_000;

/**
 * Collects the sections of one cluster, one after the other in one loop: however slow the cluster is, no two calls run
 * at once and none pile up. What comes due meanwhile waits, and an interval that passes unused is counted as skipped.
 */
export class ClusterWatch {
  readonly #options: WatchOptions;
  readonly #stopped = new AbortController();
  readonly #reprobeMs: number;
  readonly #book: SectionBook;
  readonly #report: CapabilityReport;
  readonly #thresholds: SlowLogThresholdWatch;
  readonly #grace = new RefusalGrace();
  readonly #running: Promise<void>;
  #memory = newClusterMemory();
  #identity: { readonly cluster: ClusterIdentity; readonly at: number } | undefined;
  #cluster: ClusterIdentity | null = null;
  #state: WatchState = 'starting';
  #reason: string | null = null;
  /** Credentials were refused, and no section has been collected since. */
  #refused = false;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#reprobeMs = options.reprobeMs ?? 1_800_000;
    this.#book = new SectionBook({ ...options, reprobeMs: this.#reprobeMs });
    this.#report = new CapabilityReport(options);
    this.#thresholds = new SlowLogThresholdWatch(options.settings);
    this.#running = this.#run();
  }

  status(): WatchStatus {
    return {
      endpoint: this.#options.endpoint,
      cluster: this.#cluster,
      state: this.#state,
      reason: this.#reason,
      notes: this.#options.notes(),
      sections: this.#book.capabilities(),
    };
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    const { logger, endpoint, sleep } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#collectDue();
        if (this.#cluster !== null && this.#state !== 'duplicate' && !this.#hasStopped()) {
          const { thresholds, note } = await this.#slowLogThresholds();
          const notes = [...this.#options.notes(), this.#reason, note].filter((one) => one !== null);
          await this.#report.say(this.#cluster, this.#book.capabilities(), notes, thresholds);
        }
      } catch (thrown) {
        // A mistake of ours must not end the watch of a cluster; it must not spin either.
        logger.error({ err: thrown, endpoint }, 'collecting failed');
        await sleep(longestSleepMs, signal);
      }
      await sleep(Math.max(10, Math.min(longestSleepMs, this.#book.msUntilNext())), signal);
    }
  }

  /** Asked only of a cluster that answers: the others are left alone. */
  async #slowLogThresholds(): Promise<KnownThresholds> {
    if (this.#state !== 'watching') return nothingKnown;
    const { client, moment } = this.#options;
    return this.#thresholds.current(client, moment().elapsed, this.#stopped.signal);
  }

  #hasStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  async #collectDue(): Promise<void> {
    for (const section of this.#book.due()) {
      const cluster = this.#hasStopped() ? undefined : await this.#identify();
      if (cluster === undefined) return;
      await this.#collect(section, cluster);
      if (this.#state === 'unauthorized') return;
    }
  }

  /** Who the cluster is now; undefined, with every due section failed, where it can't be told or may not be watched. */
  async #identify(): Promise<ClusterIdentity | undefined> {
    const { client, moment, claim } = this.#options;
    if (this.#identity !== undefined && moment().elapsed - this.#identity.at < identityKeptMs) {
      return this.#identity.cluster;
    }
    this.#identity = undefined;
    try {
      const cluster = parseIdentity(await client.get(identityPath, { signal: this.#stopped.signal }));
      this.#meet(cluster);
      if (!claim(cluster.uuid)) {
        this.#turn('duplicate', 'another entry of this agent leads to the same cluster and watches it');
        this.#failDue(new CallFailure('broken', 'watched through another endpoint'));
        return undefined;
      }
      this.#identity = { cluster, at: moment().elapsed };
      this.#book.release();
      this.#turn('watching', null);
      return cluster;
    } catch (thrown) {
      if (!this.#hasStopped()) this.#unidentified(failureOfThrown(thrown));
      return undefined;
    }
  }

  /** A refusal that may pass by itself is a failure like others: the next interval tries again. */
  #weighed(failure: CallFailure): CallFailure {
    if (failure.kind !== 'unauthorized') return failure;
    if (!this.#grace.mayPass(this.#options.moment().elapsed)) return failure;
    this.#identity = undefined;
    const reason = `${failure.reason}: the cluster may still be starting, and is asked again`;
    return new CallFailure('broken', reason, { cause: failure });
  }

  #unidentified(found: CallFailure): void {
    if (found.kind !== 'unauthorized') this.#grace.troubled(this.#options.moment().elapsed);
    const failure = this.#weighed(found);
    if (failure.kind !== 'unauthorized') this.#turn(stateOf(failure), failure.reason);
    this.#failDue(failure);
    if (failure.kind === 'unauthorized') this.#refuse(failure);
  }

  /** Another UUID is another cluster: nothing learnt of the old one holds. */
  #meet(cluster: ClusterIdentity): void {
    if (this.#cluster !== null && this.#cluster.uuid !== cluster.uuid) {
      this.#options.logger.warn(
        { endpoint: this.#options.endpoint, before: this.#cluster.uuid, now: cluster.uuid },
        'the endpoint leads to another cluster now',
      );
      this.#memory = newClusterMemory();
      this.#book.forget();
      this.#report.forget();
      this.#thresholds.forget();
    }
    this.#cluster = cluster;
  }

  #failDue(failure: CallFailure): void {
    for (const name of this.#book.hold(failure)) this.#options.instruments.ended(name, failure.kind);
  }

  async #collect(section: Section, cluster: ClusterIdentity): Promise<void> {
    const { client, settings, instruments, moment } = this.#options;
    const taken = moment();
    for (let skipped = this.#book.skip(section.name); skipped > 0; skipped -= 1) {
      instruments.ended(section.name, 'skipped');
    }
    const outcome = await collectSection(section, {
      client,
      cluster,
      settings,
      memory: this.#memory,
      signal: this.#stopped.signal,
      now: () => moment().wall,
    });
    if (this.#hasStopped()) return;
    if (!outcome.ok) {
      if (outcome.failure.kind === 'no_master') this.#grace.troubled(moment().elapsed);
      this.#failed(section, this.#weighed(outcome.failure));
      return;
    }
    instruments.took(section.name, moment().elapsed - taken.elapsed);
    await this.#hand(section, cluster, outcome.collected, taken);
  }

  /** Hands the items over; where there is no room for them, that is a gap of this section. */
  async #hand(
    section: Section,
    cluster: ClusterIdentity,
    collected: Collected<Section['name']> | null,
    taken: Moment,
  ): Promise<void> {
    const { instruments, logger, put } = this.#options;
    const items = collected === null ? [] : this.#itemsOf(section, cluster, collected, taken);
    try {
      if (items.length > 0) await put(items);
    } catch (thrown) {
      instruments.ended(section.name, 'gap');
      logger.warn({ section: section.name, reason: reasonOf(thrown) }, 'a snapshot was lost');
      this.#book.failed(
        section.name,
        new CallFailure('broken', `the snapshot could not be kept: ${reasonOf(thrown)}`),
      );
      return;
    }
    this.#refused = false;
    const forbidden = collected?.unavailable.find(({ field, code }) => field === '*' && code === 'forbidden');
    instruments.ended(section.name, collected?.partial === true ? 'partial' : 'ok');
    this.#book.succeeded(section.name, taken, forbidden?.reason ?? null);
  }

  #itemsOf(
    section: Section,
    cluster: ClusterIdentity,
    collected: Collected<Section['name']>,
    taken: Moment,
  ): readonly Snapshot[] {
    const { settings, moment, newId, reporter } = this.#options;
    const record = {
      cluster,
      section: section.name,
      intervalSeconds: section.intervalSeconds(settings),
      id: newId(),
      reporter,
      takenAt: taken.wall,
      tookMs: moment().elapsed - taken.elapsed,
    };
    const split = section.split && { ...section.split, most: section.split.most(settings) };
    return itemsOf(record, collected, split);
  }

  #failed({ name, privilege }: Section, failure: CallFailure): void {
    const { instruments, logger, endpoint } = this.#options;
    instruments.ended(name, failure.kind);
    const isNew = this.#book.failed(name, failure);
    if (failure.kind === 'unauthorized') this.#refuse(failure);
    else if (isNew) {
      const { kind, reason } = failure;
      logger.warn({ endpoint, section: name, kind, reason, privilege }, 'a section is not collected');
    }
  }

  /**
   * Credentials that are refused stop everything; one call now and then sees whether they are good again. The first
   * comes soon: a node that restarted between two calls, without anybody seeing it, refuses good ones for some seconds.
   */
  #refuse(failure: CallFailure): void {
    const isNew = !this.#refused;
    this.#refused = true;
    this.#turn('unauthorized', failure.reason);
    this.#identity = undefined;
    this.#book.haltAll(failure.reason, isNew ? soonMs : this.#reprobeMs);
  }

  #turn(state: WatchState, reason: string | null): void {
    this.#reason = reason;
    if (state === this.#state) return;
    this.#state = state;
    const { logger, endpoint } = this.#options;
    if (state === 'watching') logger.info({ endpoint, cluster: this.#cluster }, 'the cluster is watched');
    else logger.warn({ endpoint, state, reason }, messages[state]);
  }
}

function stateOf({ kind }: CallFailure): WatchState {
  if (kind === 'missing') return 'unsupported';
  return kind === 'forbidden' ? 'forbidden' : 'unreachable';
}
