import { reasonOf } from '../../runtime/errors.js';
import type { Logger } from '../../runtime/logging.js';
import { capabilitiesRepeatMs, type Capability } from '../../schemas/snapshots/capability-section.js';
import { slotOf, type Snapshot } from '../../schemas/snapshots.js';
import { itemsOf } from './items.js';
import { cut } from './parse/answer.js';
import type { Instant } from './section-state.js';
import type { ClusterIdentity } from './section.js';
import type { SlowLogThresholds } from './slow-log-thresholds.js';

const intervalSeconds = 60;
/**
 * A new report is repeated after this long. A report right after a snapshot can't tell yet that the cluster
 * is down, because no interval was missed. It is slightly below the interval: timers are not exact.
 */
const againMs = 0.9 * intervalSeconds * 1_000;

/** A snapshot has room for 200. Each file of the slow logs can add one. */
const mostDiagnostics = 100;

function fewOf(diagnostics: readonly string[]): readonly string[] {
  if (diagnostics.length <= mostDiagnostics) return diagnostics;
  const few = diagnostics.slice(0, mostDiagnostics - 1);
  return [
    ...few,
    `there are ${diagnostics.length - few.length} more notes: GET /status of the agent lists them`,
  ];
}

interface ReportOptions {
  readonly put: (items: readonly Snapshot[]) => Promise<void>;
  readonly readClocks: () => Instant;
  readonly newId: () => string;
  readonly reporter: string;
  readonly logger: Logger;
}

interface Said {
  readonly text: string;
  readonly at: number;
  readonly slot: number;
  /**
   * Whether the report differed from the last one. A watch's first report can fall into a slot that already
   * contains an earlier watch's report, so a new report is sent again.
   */
  readonly isNew: boolean;
}

/**
 * Reports what can be collected of a cluster: twice after a change (at most once per minute), and every
 * quarter of an hour. While nothing can be collected it reports every minute, to show that the cluster is
 * still being watched.
 */
export class CapabilityReport {
  private readonly options: ReportOptions;
  private said: Said | undefined;

  constructor(options: ReportOptions) {
    this.options = options;
  }

  forget(): void {
    this.said = undefined;
  }

  async say(
    cluster: ClusterIdentity,
    sections: readonly Capability[],
    diagnostics: readonly string[],
    slowLogThresholds: SlowLogThresholds | null,
  ): Promise<void> {
    const { readClocks, put, newId, reporter, logger } = this.options;
    const { wall, elapsed } = readClocks();
    const text = JSON.stringify([
      slowLogThresholds,
      ...diagnostics,
      ...sections.map(({ section, state, reason }) => [section, state, reason]),
    ]);
    const slot = slotOf(wall, intervalSeconds);
    const said = this.said;
    if (said?.slot === slot) return;
    const isNew = said?.text !== text;
    const isCollected = sections.some(({ state }) => state === 'ok');
    const repeatMs = said?.isNew === true || !isCollected ? againMs : capabilitiesRepeatMs;
    if (!isNew && elapsed - said.at < repeatMs) return;
    const body = {
      sections: [...sections],
      notes: fewOf(diagnostics).map((diagnostic) => cut(diagnostic, 1_024)),
      slow_log_thresholds: slowLogThresholds,
    };
    const record = { cluster, section: 'capabilities' as const, id: newId(), reporter };
    try {
      await put(
        itemsOf(
          { ...record, intervalSeconds, takenAt: wall, tookMs: 0 },
          { body, partial: false, unavailable: [] },
          undefined,
        ),
      );
      this.said = { text, at: elapsed, slot, isNew };
    } catch (thrown) {
      logger.warn(
        { event: 'capabilities-not-kept', reason: reasonOf(thrown) },
        'the capabilities could not be stored',
      );
    }
  }
}
