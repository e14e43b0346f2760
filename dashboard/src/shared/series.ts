export interface Sample {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly value: number | null | undefined;
}

/** Times in seconds, and a value or null for each: the input of uPlot. */
export interface Series {
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
}

/**
 * Samples as a line with breaks where nothing is known. uPlot draws a gap at a null, but a straight line over
 * missing samples. So a null is inserted if two samples are further apart than `longestMs`.
 */
export function withGaps(samples: readonly Sample[], longestMs: number): Series {
  const sorted = [...samples].sort((one, other) => one.at - other.at);
  const times: number[] = [];
  const values: (number | null)[] = [];
  let last: number | undefined;
  for (const { at, value } of sorted) {
    if (last !== undefined && at - last > longestMs) {
      times.push((last + 1) / 1_000);
      values.push(null);
    }
    times.push(at / 1_000);
    values.push(value === undefined || value === null || !Number.isFinite(value) ? null : value);
    last = at;
  }
  return { times, values };
}

/** The period of an answer. */
export interface Extent {
  readonly from: string;
  readonly to: string;
  /** Whether the answer ends now: its last step can still get more data. */
  readonly isOngoing: boolean;
}

/** Whether a step that ends at this time, in milliseconds since 1970, can still change. */
export function isUnfinished(endMs: number, { to, isOngoing }: Extent): boolean {
  const lastMs = Date.parse(to);
  // Answers with steps of a minute extend to the end of the current minute.
  return isOngoing ? endMs >= lastMs : endMs > lastMs;
}

/**
 * The indices of values without a known neighbour on either side, which no line connects. Undefined is not a
 * gap: only another line of the chart has a sample there, and this line is drawn through.
 */
export function loneIndices(values: readonly (number | null | undefined)[]): number[] {
  const told = values.flatMap((value, index) => (value === undefined ? [] : [{ value, index }]));
  const isKnown = (at: number): boolean => (told[at]?.value ?? null) !== null;
  return told.flatMap(({ index }, at) =>
    isKnown(at) && !isKnown(at - 1) && !isKnown(at + 1) ? [index] : [],
  );
}

/** The indices of the last two samples, if the last one can still change: their line is unfinished. */
export function unfinishedPart(
  times: readonly number[],
  values: readonly (number | null | undefined)[],
  stepMs: number,
  extent: Extent,
): readonly [number, number] | undefined {
  const last = values.findLastIndex((value) => typeof value === 'number');
  const before = values.slice(0, Math.max(0, last)).findLastIndex((value) => value !== undefined);
  const isLine = before >= 0 && values[before] !== null;
  return isLine && isUnfinished((times[last] ?? 0) * 1_000 + stepMs, extent) ? [before, last] : undefined;
}

export interface Gap {
  /** Seconds since 1970, as in the chart. */
  readonly from: number;
  readonly to: number;
}

/** The times, in seconds, at which any of the lines has a known value. */
export const knownTimes = (lines: readonly Series[]): readonly number[] =>
  lines.flatMap(({ times, values }) => times.filter((_, index) => values[index] !== null));

/** Parts of a range longer than `longestMs` without a sample, also before the first and after the last. */
export function gapsIn(
  times: readonly number[],
  [from, to]: readonly [number, number],
  longestMs: number,
): readonly Gap[] {
  const inside = [...new Set(times)].filter((at) => at >= from && at <= to).sort((one, other) => one - other);
  return [...inside, to].flatMap((at, index) => {
    const before = inside[index - 1] ?? from;
    return (at - before) * 1_000 > longestMs ? [{ from: before, to: at }] : [];
  });
}
