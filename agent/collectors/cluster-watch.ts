import { Mutex } from '../mutex.js';
import { CallFailure, failureOfThrown, withEndpoint } from './call-failure.js';
import { CapabilityReport } from './capability-report.js';
import { newClusterMemory } from './cluster-memory.js';
import { IdentityProbe } from './identity-probe.js';
import { RecentTrouble } from './recent-trouble.js';
import { SectionSchedule } from './section-schedule.js';
import type { ClusterIdentity, Section } from './section.js';
import { nothingKnown, SlowLogThresholdWatch, type KnownThresholds } from './slow-log-thresholds.js';
import { takeSnapshot } from './take-snapshot.js';
import type { WatchOptions } from './watch-options.js';
import { messages, stateOf, type WatchState, type WatchStatus } from './watch-state.js';

const longestSleepMs = 60_000;
/** Longer than a starting node keeps refusing good credentials. */
const soonMs = 60_000;

/**
 * Collects the sections of one cluster, one after another in one loop. However slow the cluster is, calls
 * never overlap and never pile up. A section that comes due meanwhile waits, and an interval that passes
 * unused is counted as skipped.
 */
export class ClusterWatch {
  private readonly options: WatchOptions;
  private readonly stopped = new AbortController();
  private readonly reprobeMs: number;
  private readonly schedule: SectionSchedule;
  private readonly report: CapabilityReport;
  private readonly thresholds: SlowLogThresholdWatch;
  private readonly probe: IdentityProbe;
  private readonly trouble = new RecentTrouble();
  private readonly mutex = new Mutex();
  private readonly running: Promise<void>;
  private memory = newClusterMemory();
  private identity: ClusterIdentity | null;
  private state: WatchState = 'starting';
  private reason: string | null = null;
  /** Credentials were refused, and no section has been collected since. */
  private refused = false;

  constructor(options: WatchOptions) {
    this.options = options;
    this.identity = options.known;
    this.reprobeMs = options.reprobeMs ?? 1_800_000;
    this.schedule = new SectionSchedule({ ...options, reprobeMs: this.reprobeMs });
    this.report = new CapabilityReport(options);
    this.thresholds = new SlowLogThresholdWatch(options.settings);
    this.probe = new IdentityProbe(options);
    this.running = this.run();
  }

  /** The last cluster that the endpoint led to, in this watch or an earlier one. */
  get cluster(): ClusterIdentity | null {
    return this.identity;
  }

  get isStarting(): boolean {
    return this.state === 'starting';
  }

  status(): WatchStatus {
    return {
      endpoint: this.options.endpoint,
      cluster: this.identity,
      state: this.state,
      reason: this.reason,
      notes: this.options.diagnostics(),
      sections: this.schedule.capabilities(),
    };
  }

  /**
   * For other components that need to know which cluster this is. Asks under the same mutex as everything
   * else, and not while the cluster is left alone. Null if the cluster does not say.
   */
  whoIsIt(): Promise<ClusterIdentity | null> {
    return this.mutex.run(async () => {
      if (this.hasStopped() || this.probe.isLeftAlone) return null;
      await this.identify();
      return this.probe.known;
    });
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
    await this.whoIsIt();
  }

  private async run(): Promise<void> {
    const { signal } = this.stopped;
    const { logger, endpoint, sleep } = this.options;
    while (!signal.aborted) {
      try {
        await this.collectDue();
        await this.mutex.run(() => this.tell());
      } catch (thrown) {
        // A bug must neither end the watch of a cluster, nor make it loop without a pause.
        logger.error({ event: 'collecting-failed', err: thrown, endpoint }, 'collecting failed');
        await sleep(longestSleepMs, signal);
      }
      await sleep(Math.max(10, Math.min(longestSleepMs, this.schedule.msUntilNext())), signal);
    }
  }

  private async tell(): Promise<void> {
    if (this.identity === null || this.isStarting || this.state === 'duplicate' || this.hasStopped()) return;
    // Another endpoint reports this cluster: failures here say nothing about that endpoint's watch.
    if (this.options.isOthers(this.identity.uuid)) return;
    const { thresholds, diagnostic } = await this.slowLogThresholds();
    const diagnostics = [this.reason, diagnostic, ...this.options.diagnostics()].filter(
      (one) => one !== null,
    );
    await this.report.say(this.identity, this.schedule.capabilities(), diagnostics, thresholds);
  }

  /** Asks only a cluster that answers. */
  private async slowLogThresholds(): Promise<KnownThresholds> {
    if (this.state !== 'watching') return nothingKnown;
    const { client, readClocks } = this.options;
    return this.thresholds.current(client, readClocks().elapsed, this.stopped.signal);
  }

  private hasStopped(): boolean {
    return this.stopped.signal.aborted;
  }

  private async collectDue(): Promise<void> {
    for (const section of this.schedule.due()) {
      if (!(await this.mutex.run(() => this.collectIfDue(section)))) return;
    }
  }

  /**
   * Whether to continue with the next section. This one is no longer due if another component has asked for
   * the identity meanwhile, and that failed.
   */
  private async collectIfDue(section: Section): Promise<boolean> {
    if (!this.schedule.due().includes(section)) return true;
    const cluster = this.hasStopped() ? undefined : await this.identify();
    if (cluster === undefined) return false;
    await this.collect(section, cluster);
    return this.state !== 'unauthorized';
  }

  /**
   * The cluster's present identity. Undefined if it is unknown or the cluster may not be watched; every due
   * section has then failed.
   */
  private async identify(): Promise<ClusterIdentity | undefined> {
    try {
      const cluster = await this.probe.current(this.stopped.signal);
      this.meet(cluster);
      if (this.options.claim(cluster.uuid)) {
        this.schedule.release();
        this.turn('watching', null);
        return cluster;
      }
      this.turn('duplicate', 'another entry of this agent leads to the same cluster and watches it');
      this.failDue(new CallFailure('broken', 'watched through another endpoint'));
    } catch (thrown) {
      if (!this.hasStopped()) this.unidentified(failureOfThrown(thrown));
    }
    return undefined;
  }

  /** A refusal that might be temporary counts as an ordinary failure: the next interval tries again. */
  private weighed(failure: CallFailure): CallFailure {
    if (failure.kind !== 'unauthorized') return failure;
    if (!this.trouble.explainsRefusal(this.options.readClocks().elapsed)) return failure;
    const reason = `${failure.reason}: the cluster may still be starting, and will be asked again`;
    const weighed = new CallFailure('broken', reason, { cause: failure });
    this.probe.failed(weighed);
    return weighed;
  }

  private unidentified(found: CallFailure): void {
    if (found.kind !== 'unauthorized') this.trouble.seen(this.options.readClocks().elapsed);
    const failure = this.weighed(withEndpoint(found, this.options.endpoint));
    this.probe.failed(failure);
    if (failure.kind !== 'unauthorized') this.turn(stateOf(failure), failure.reason);
    this.failDue(failure);
    if (failure.kind === 'unauthorized') this.refuse(failure);
  }

  /** Another UUID is another cluster: nothing that is remembered about the old one applies. */
  private meet(cluster: ClusterIdentity): void {
    if (this.identity !== null && this.identity.uuid !== cluster.uuid) {
      this.options.logger.warn(
        {
          event: 'cluster-changed',
          endpoint: this.options.endpoint,
          before: this.identity.uuid,
          now: cluster.uuid,
        },
        'the endpoint leads to another cluster now',
      );
      this.memory = newClusterMemory();
      this.schedule.forget();
      this.report.forget();
      this.thresholds.forget();
    }
    this.identity = cluster;
    this.options.met(cluster);
  }

  private failDue(failure: CallFailure): void {
    for (const name of this.schedule.hold(failure)) this.options.instruments.ended(name, failure.kind);
  }

  private async collect(section: Section, cluster: ClusterIdentity): Promise<void> {
    const { instruments, readClocks } = this.options;
    const { name } = section;
    const taken = readClocks();
    for (let skipped = this.schedule.skip(name); skipped > 0; skipped -= 1)
      instruments.ended(name, 'skipped');
    const wanted = { section, cluster, memory: this.memory, taken, signal: this.stopped.signal };
    const end = await takeSnapshot(wanted, this.options);
    if (end.how === 'called-off') return;
    if (end.how === 'failed') {
      if (end.failure.kind === 'no_master') this.trouble.seen(readClocks().elapsed);
      this.failed(section, this.weighed(withEndpoint(end.failure, this.options.endpoint)));
      return;
    }
    instruments.ended(name, end.how);
    if (end.how === 'gap') {
      this.schedule.failed(name, end.failure);
      return;
    }
    this.refused = false;
    this.schedule.succeeded(name, taken, end.forbidden);
  }

  private failed({ name, privilege }: Section, failure: CallFailure): void {
    const { instruments, logger, endpoint } = this.options;
    instruments.ended(name, failure.kind);
    const isNew = this.schedule.failed(name, failure);
    if (failure.kind === 'unauthorized') this.refuse(failure);
    else if (isNew) {
      const { kind, reason } = failure;
      logger.warn(
        { event: 'section-not-collected', endpoint, section: name, kind, reason, privilege },
        'a section is not collected',
      );
    }
  }

  /**
   * Refused credentials stop all collection; an occasional call checks whether they are accepted again. The
   * first check comes soon, because a node that restarted unnoticed between two calls refuses good
   * credentials for some seconds.
   */
  private refuse(failure: CallFailure): void {
    const isNew = !this.refused;
    this.refused = true;
    this.turn('unauthorized', failure.reason);
    this.probe.failed(failure);
    this.schedule.haltAll(failure.reason, isNew ? soonMs : this.reprobeMs);
  }

  private turn(state: WatchState, reason: string | null): void {
    this.reason = reason;
    if (state === this.state) return;
    this.state = state;
    const { logger, endpoint } = this.options;
    if (state === 'watching')
      logger.info({ event: 'cluster-watched', endpoint, cluster: this.identity }, 'the cluster is watched');
    else logger.warn({ event: 'cluster-not-watched', endpoint, state, reason }, messages[state]);
  }
}
