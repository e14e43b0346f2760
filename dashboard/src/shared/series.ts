export interface Sample {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly value: number | null | undefined;
}

/** Times in seconds, and a value or null for each: what uPlot draws. */
export interface Series {
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
}

/**
 * Samples as a line that breaks wherever nothing is known: uPlot draws a gap at null, and a straight line through whatever
 * else is missing. Where two samples lie further apart than `longestMs`, a null comes between them.
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

/**
 * Where values stand alone: with nothing known on either side, so that no line is drawn there. Undefined is no gap: another
 * line of the chart has a sample there, and this one is drawn on.
 */
export function loneIndices(values: readonly (number | null | undefined)[]): number[] {
  const told = values.flatMap((value, index) => (value === undefined ? [] : [{ value, index }]));
  const isKnown = (at: number): boolean => (told[at]?.value ?? null) !== null;
  return told.flatMap(({ index }, at) =>
    isKnown(at) && !isKnown(at - 1) && !isKnown(at + 1) ? [index] : [],
  );
}

export interface Gap {
  /** Seconds since 1970, as the chart counts. */
  readonly from: number;
  readonly to: number;
}

/** When anything is known of any of the lines, in seconds. */
export const knownTimes = (lines: readonly Series[]): readonly number[] =>
  lines.flatMap(({ times, values }) => times.filter((_, index) => values[index] !== null));

/** The stretches of a range longer than `longestMs` in which no sample lies, before the first and after the last too. */
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
