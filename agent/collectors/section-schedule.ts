import type { Capability } from '../../schemas/snapshots/capability-section.js';
import type { SectionName } from '../../schemas/snapshots.js';
import type { CallFailure } from './call-failure.js';
import {
  afterFailure,
  afterSuccess,
  missedIntervals,
  newSectionState,
  randomPhase,
  type Instant,
  type Rhythm,
  type SectionState,
} from './section-state.js';
import type { Section } from './section.js';
import type { CollectorSettings } from './settings.js';

const startSpreadMs = 2_000;

export interface ScheduleOptions {
  readonly sections: readonly Section[];
  readonly settings: CollectorSettings;
  readonly readClocks: () => Instant;
  readonly random: () => number;
  readonly reprobeMs: number;
}

/** The state of each section of one cluster, and which is due. */
export class SectionSchedule {
  private readonly options: ScheduleOptions;
  private readonly enabled: readonly Section[];
  private readonly rhythms: ReadonlyMap<SectionName, Rhythm>;
  private states: Map<SectionName, SectionState>;
  /** Sections that came due while the cluster's identity was unknown. */
  private readonly held = new Set<SectionName>();

  constructor(options: ScheduleOptions) {
    this.options = options;
    this.enabled = options.sections.filter(({ enabled }) => enabled(options.settings));
    this.rhythms = rhythmsOf(this.enabled, options);
    this.states = this.anew(options.random() * startSpreadMs);
  }

  due(): readonly Section[] {
    const { elapsed } = this.options.readClocks();
    return this.enabled.filter(({ name }) => (this.states.get(name)?.dueAt ?? Infinity) <= elapsed);
  }

  msUntilNext(): number {
    const next = Math.min(...[...this.states.values()].map(({ dueAt }) => dueAt));
    return next - this.options.readClocks().elapsed;
  }

  state(name: SectionName): SectionState | undefined {
    return this.states.get(name);
  }

  /** Counts and returns how many intervals of a section passed unused before it is collected now. */
  skip(name: SectionName): number {
    const { elapsed } = this.options.readClocks();
    let missed = 0;
    this.update(name, (state, rhythm) => {
      missed = missedIntervals(state, elapsed, rhythm);
      return { ...state, skipped: state.skipped + missed };
    });
    return missed;
  }

  /** `taken` is when the collection started: its slot has been used. */
  succeeded(name: SectionName, taken: Instant, forbidden: string | null): void {
    const { elapsed } = this.options.readClocks();
    this.update(name, (state, rhythm) => {
      const ended = { wall: Math.round(taken.wall + elapsed - taken.elapsed), elapsed };
      return afterSuccess(state, ended, taken.wall, rhythm, forbidden);
    });
  }

  /** Records a failure. Returns whether the section was not already failing in this way. */
  failed(name: SectionName, failure: CallFailure): boolean {
    const { readClocks, random } = this.options;
    const before = this.states.get(name)?.state;
    this.update(name, (state, rhythm) => afterFailure(state, failure, readClocks(), rhythm, random));
    return this.states.get(name)?.state !== before;
  }

  /**
   * Fails the due sections, because the cluster's identity is unknown. Once it is known they are due at once,
   * unless the cluster was too busy: then they wait.
   */
  hold(failure: CallFailure): readonly SectionName[] {
    const due = this.due().map(({ name }) => name);
    for (const name of due) {
      this.failed(name, failure);
      if (failure.kind !== 'busy') this.held.add(name);
    }
    return due;
  }

  /** Makes the held sections due: none of them has been collected in the intervals since. */
  release(): void {
    const { elapsed } = this.options.readClocks();
    for (const name of this.held) this.update(name, (state) => ({ ...state, dueAt: elapsed }));
    this.held.clear();
  }

  /** Collects nothing for this long. */
  haltAll(reason: string, forMs: number): void {
    const dueAt = this.options.readClocks().elapsed + forMs;
    for (const [name, state] of this.states) {
      this.states.set(name, { ...state, state: 'failing', reason, dueAt });
    }
  }

  forget(): void {
    this.states = this.anew(0);
    this.held.clear();
  }

  capabilities(): readonly Capability[] {
    const { settings, sections, readClocks } = this.options;
    const now = readClocks();
    return sections.map((section): Capability => {
      const state = this.states.get(section.name);
      return {
        section: section.name,
        state: state?.state ?? 'off',
        reason: state === undefined ? 'switched off in integration.json' : state.reason,
        privilege: section.privilege,
        last_success_at: state?.lastSuccessAt ?? null,
        next_try_at: state === undefined ? null : Math.round(now.wall + state.dueAt - now.elapsed),
        interval_seconds: section.intervalSeconds(settings),
        collections: state?.collections ?? 0,
        failures: state?.failures ?? 0,
        skipped: state?.skipped ?? 0,
      };
    });
  }

  private update(name: SectionName, change: (state: SectionState, rhythm: Rhythm) => SectionState): void {
    const state = this.states.get(name);
    const rhythm = this.rhythms.get(name);
    if (state !== undefined && rhythm !== undefined) this.states.set(name, change(state, rhythm));
  }

  private anew(delay: number): Map<SectionName, SectionState> {
    const dueAt = this.options.readClocks().elapsed + delay;
    return new Map(this.enabled.map(({ name }) => [name, newSectionState(dueAt)]));
  }
}

/** Sections of the same short interval share a phase, and so form one cycle; the others are spread. */
function rhythmsOf(
  sections: readonly Section[],
  { settings, random, reprobeMs }: ScheduleOptions,
): ReadonlyMap<SectionName, Rhythm> {
  const cycle = random();
  return new Map(
    sections.map((section) => {
      const intervalMs = section.intervalSeconds(settings) * 1_000;
      const phaseMs = randomPhase(intervalMs, intervalMs <= 60_000 ? () => cycle : random);
      return [section.name, { intervalMs, phaseMs, reprobeMs }];
    }),
  );
}
