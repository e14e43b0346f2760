import { reasonOf } from '../../runtime/errors.js';
import type { Logger } from '../../runtime/logging.js';
import type { Capability } from '../../schemas/snapshots/capability-section.js';
import { slotOf, type Snapshot } from '../../schemas/snapshots.js';
import { itemsOf } from './items.js';
import { cut } from './parse/answer.js';
import type { Moment } from './section-state.js';
import type { ClusterIdentity } from './section.js';
import type { SlowLogThresholds } from './slow-log-thresholds.js';

const intervalSeconds = 60;
/** What did not change is said again so often. */
const repeatMs = 900_000;

interface ReportOptions {
  readonly put: (items: readonly Snapshot[]) => Promise<void>;
  readonly moment: () => Moment;
  readonly newId: () => string;
  readonly reporter: string;
  readonly logger: Logger;
}

/** Says what of a cluster can be collected: twice at first, when that changes (once a minute at most), and every quarter of an hour. */
export class CapabilityReport {
  readonly #options: ReportOptions;
  #said: { readonly text: string; readonly at: number; readonly slot: number } | undefined;
  /** The first slot may belong to a watch before this one, whose report stands in it. */
  #firstSlot: number | undefined;

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  forget(): void {
    this.#said = undefined;
    this.#firstSlot = undefined;
  }

  async say(
    cluster: ClusterIdentity,
    sections: readonly Capability[],
    notes: readonly string[],
    slowLogThresholds: SlowLogThresholds | null,
  ): Promise<void> {
    const { moment, put, newId, reporter, logger } = this.#options;
    const { wall, elapsed } = moment();
    const text = JSON.stringify([
      slowLogThresholds,
      ...notes,
      ...sections.map(({ section, state, reason }) => [section, state, reason]),
    ]);
    const slot = slotOf(wall, intervalSeconds);
    if (this.#said?.slot === slot) return;
    const heard = this.#said !== undefined && this.#said.slot !== this.#firstSlot;
    if (heard && this.#said?.text === text && elapsed - this.#said.at < repeatMs) return;
    const body = {
      sections: [...sections],
      notes: notes.map((note) => cut(note, 1_024)),
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
      this.#firstSlot ??= slot;
      this.#said = { text, at: elapsed, slot };
    } catch (thrown) {
      logger.warn({ reason: reasonOf(thrown) }, 'the capabilities could not be kept');
    }
  }
}
