import type { Answer } from '../../api/client.js';
import type { Sample } from '../../shared/series.js';
import type { TimeRange } from '../../shared/time-range.js';

type Trend = Answer<'/api/v1/results/trends'>;
export type Figures = Trend['whole'];
type Bounds = Pick<Trend, 'from' | 'to'>;

const dayMs = 86_400_000;

/** The periods that a period can be compared with, and their names. */
export const comparisons = [
  ['before', 'the period before'],
  ['day', 'a day before'],
  ['week', 'a week before'],
] as const;
export type Comparison = (typeof comparisons)[number][0];

export function shiftOf(comparison: Comparison, { from, to }: Bounds): number {
  if (comparison === 'day') return dayMs;
  return comparison === 'week' ? 7 * dayMs : Date.parse(to) - Date.parse(from);
}

/** The same period, this many milliseconds earlier. */
export function earlier({ from, to }: Bounds, ms: number): TimeRange {
  const moved = (timestamp: string): string => new Date(Date.parse(timestamp) - ms).toISOString();
  return { kind: 'fixed', from: moved(from), to: moved(to) };
}

/** One figure over time, shifted by this many milliseconds to draw an earlier period over the later one. */
export const samplesOf = (
  { points }: Pick<Trend, 'points'>,
  figure: 'p05' | 'p50' | 'p95',
  byMs = 0,
): readonly Sample[] => points.map((point) => ({ at: Date.parse(point.at) + byMs, value: point[figure] }));

export interface ComparedFigure {
  readonly figure: string;
  readonly now: number | null;
  readonly before: number | null;
  /** Null if one of the two is unknown. */
  readonly change: number | null;
}

const names = ['results', 'scored', 'mean', 'min', 'p05', 'p50', 'p95', 'max'] as const;

export function compared(now: Figures, before: Figures | undefined): readonly ComparedFigure[] {
  return names.map((figure) => {
    const [one, other] = [now[figure], before?.[figure] ?? null];
    return {
      figure,
      now: one,
      before: other,
      change: one === null || other === null ? null : changeOf(one, other),
    };
  });
}

/** Ignores differences that are only rounding errors of 64-bit numbers. */
function changeOf(one: number, other: number): number {
  const change = one - other;
  return Math.abs(change) <= 1e-12 * Math.max(Math.abs(one), Math.abs(other)) ? 0 : change;
}
