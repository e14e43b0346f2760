export interface SparklinePaths {
  /** Each is the points of a polyline. */
  readonly lines: readonly string[];
  /** The line to the last value, if that can still change. */
  readonly unfinished?: string;
  /** Values without a neighbour. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

const margin = 2;

/** A series from 0 up to its highest value, in a box of this size. */
export function pathsOf(
  values: readonly (number | null)[],
  width: number,
  height: number,
  isLastUnfinished = false,
): SparklinePaths {
  const highest = Math.max(0, ...values.map((value) => value ?? 0));
  const step = values.length < 2 ? 0 : (width - 2 * margin) / (values.length - 1);
  const lines: string[] = [];
  const points: { x: number; y: number }[] = [];
  let run: { x: number; y: number }[] = [];
  const written = (of: typeof run): string => of.map(({ x, y }) => `${x},${y}`).join(' ');
  const close = (): void => {
    if (run.length > 1) lines.push(written(run));
    else points.push(...run);
    run = [];
  };
  values.forEach((value, index) => {
    if (value === null) close();
    else
      run.push({
        x: round(margin + index * step),
        y: round(height - margin - (highest === 0 ? 0 : (value / highest) * (height - 2 * margin))),
      });
  });
  const unfinished = isLastUnfinished && run.length > 1 ? written(run.slice(-2)) : undefined;
  if (unfinished !== undefined) run.pop();
  if (unfinished === undefined || run.length > 1) close();
  return { lines, points, ...(unfinished !== undefined && { unfinished }) };
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Points at the starts of their steps as values at equal distances; null for each missing step. */
export function spread<Point extends { readonly at: string }>(
  points: readonly Point[],
  {
    from,
    to,
    step_seconds: step,
  }: { readonly from: string; readonly to: string; readonly step_seconds: number },
  valueOf: (point: Point) => number,
): readonly (number | null)[] {
  const known = new Map(points.map((point) => [Date.parse(point.at), valueOf(point)]));
  const stepMs = step * 1_000;
  const first = Math.floor(Date.parse(from) / stepMs) * stepMs;
  const count = Math.ceil((Date.parse(to) - first) / stepMs);
  return Array.from({ length: count }, (_, index) => known.get(first + index * stepMs) ?? null);
}
