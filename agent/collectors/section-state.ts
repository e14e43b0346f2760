import type { CapabilityState } from '../../schemas/snapshots/capability-section.js';
import type { FailureKind } from './call-failure.js';

/** The state of one section of one cluster, and when it is due. Times are milliseconds of the two clocks. */
export interface SectionState {
  readonly state: CapabilityState;
  readonly reason: string | null;
  /** Monotonic. */
  readonly dueAt: number;
  /** Wall clock. */
  readonly lastSuccessAt: number | null;
  /** Failures in a row of the kind that backs off. */
  readonly backOffs: number;
  readonly collections: number;
  readonly failures: number;
  readonly skipped: number;
}

/** One reading of both clocks: slots follow the wall clock, waits the monotonic one, which nobody sets. */
export interface Instant {
  readonly wall: number;
  readonly elapsed: number;
}

export interface Rhythm {
  readonly intervalMs: number;
  /**
   * When in its interval the section is collected: spread, so that not all agents and sections ask at once.
   */
  readonly phaseMs: number;
  /** How long a forbidden or missing section waits before it is tried again. */
  readonly reprobeMs: number;
}

/** A random time in the interval, with room left for the collection to end within it. */
export function randomPhase(intervalMs: number, random: () => number): number {
  return Math.floor(random() * intervalMs * 0.8);
}

export function newSectionState(dueAt: number): SectionState {
  return {
    state: 'waiting',
    reason: null,
    dueAt,
    lastSuccessAt: null,
    backOffs: 0,
    collections: 0,
    failures: 0,
    skipped: 0,
  };
}

/**
 * The section's phase in the interval after the used one, or in the first interval still to come. Each
 * interval has at most one collection, and missed ones are not made up for, however long a collection takes.
 */
function nextPhase(now: Instant, usedAt: number, { intervalMs, phaseMs }: Rhythm): number {
  const used = Math.floor(usedAt / intervalMs) * intervalMs;
  let next = used + intervalMs + phaseMs;
  if (next <= now.wall) next += Math.ceil((now.wall - next + 1) / intervalMs) * intervalMs;
  return now.elapsed + (next - now.wall);
}

/** Whole intervals that have passed since the section was due: cycles that were lost to a slow cluster. */
export function missedIntervals(state: SectionState, elapsed: number, { intervalMs }: Rhythm): number {
  return Math.max(0, Math.floor((elapsed - state.dueAt) / intervalMs));
}

export function afterSuccess(
  state: SectionState,
  now: Instant,
  takenAt: number,
  rhythm: Rhythm,
  forbidden: string | null,
): SectionState {
  return {
    ...state,
    state: forbidden === null ? 'ok' : 'forbidden',
    reason: forbidden,
    dueAt: nextPhase(now, takenAt, rhythm),
    lastSuccessAt: now.wall,
    backOffs: 0,
    collections: state.collections + 1,
  };
}

/**
 * The longest time for which one section leaves a busy cluster alone: a quarter of an hour, but at least two
 * and at most five of the section's intervals.
 */
function longestBackOff(intervalMs: number): number {
  return Math.min(5 * intervalMs, Math.max(2 * intervalMs, 900_000));
}

/**
 * A forbidden or missing section is retried slowly. If the cluster is too busy or too slow, each pause is
 * twice as long as the one before. After any other failure the next interval tries again. `random` spreads
 * the retries.
 */
export function afterFailure(
  state: SectionState,
  failure: { readonly kind: FailureKind; readonly reason: string },
  now: Instant,
  rhythm: Rhythm,
  random: () => number,
): SectionState {
  const failed = { ...state, reason: failure.reason, failures: state.failures + 1 };
  const spread = 0.9 + 0.2 * random();
  if (failure.kind === 'forbidden' || failure.kind === 'missing') {
    const dueAt = now.elapsed + Math.max(rhythm.reprobeMs, rhythm.intervalMs) * spread;
    return { ...failed, state: failure.kind, dueAt, backOffs: 0 };
  }
  if (failure.kind === 'busy') {
    const backOffs = state.backOffs + 1;
    const wait = Math.min(rhythm.intervalMs * 2 ** backOffs, longestBackOff(rhythm.intervalMs));
    return { ...failed, state: 'failing', dueAt: now.elapsed + wait * spread, backOffs };
  }
  return { ...failed, state: 'failing', dueAt: nextPhase(now, now.wall, rhythm), backOffs: 0 };
}
