import { capabilitiesRepeatMs } from '../../../schemas/snapshots/capability-section.js';
import { explainedSilence } from '../../../schemas/snapshots/silences.js';
import type { HealthView } from './health.js';

/** Sections that agents check in every cycle, but send only when they have changed, or after this long. */
const repeatAfterMs: Readonly<Record<string, number>> = {
  allocation_explain: 300_000,
  capabilities: capabilitiesRepeatMs,
};

/** A snapshot is valid for its own interval, in which it was taken at any time, and for three more. */
const holdsMs = (intervalSeconds: number): number => 4 * intervalSeconds * 1_000;

/** Whether a snapshot is too old to describe the present: three intervals after its own. */
export function isStale(section: string, slotMs: number, intervalSeconds: number, nowMs: number): boolean {
  return nowMs - slotMs > holdsMs(intervalSeconds) + (repeatAfterMs[section] ?? 0);
}

/** A score covers a minute. A missing score is reported every minute too. */
const scoreHoldsMs = holdsMs(60);

/** The health of a cluster as it is known now. */
export interface Standing {
  readonly status: unknown;
  readonly score: unknown;
  readonly scored_at: unknown;
  readonly stale: boolean;
  /** Why there is no score. */
  readonly reason: string | null;
  /** What is wrong, costliest first. Without a score: what is known to be wrong anyway. */
  readonly deductions: readonly object[];
}

/** The last record, as far as it is still valid. If it is too old, only its timestamp is kept. */
export function standingOf(health: HealthView | undefined, nowMs: number): Standing {
  if (health === undefined) {
    const reason = 'No score was given in the last 7 days.';
    return { status: null, score: null, scored_at: null, stale: true, reason, deductions: [] };
  }
  const { at, status, score } = health;
  const stale = nowMs - Date.parse(String(at)) > scoreHoldsMs;
  const deductions = stale ? [] : health.deductions;
  if (!stale && score !== null) return { status, score, scored_at: at, stale, reason: null, deductions };
  const reason = stale ? silentSince(at, health) : unscoredOf(health);
  return { status: null, score: null, scored_at: at, stale, reason, deductions };
}

function silentSince(at: unknown, health: HealthView): string {
  const unheard = explainedSilence(
    `No score, as nothing was heard of the cluster since ${String(at).slice(0, 19)}Z`,
  );
  return health.score === null ? `${unheard} Before that: ${unscoredOf(health)}` : unheard;
}

function unscoredOf({ not_measured: missing }: HealthView): string {
  const entries = missing as readonly { readonly what: string; readonly reason: string }[];
  return entries.find(({ what }) => what === 'score')?.reason ?? 'No score; the reason is not known.';
}
