/** The required ratio ours/floor; null if a figure is for information. */
export type Target = { readonly atLeast: number } | { readonly atMost: number } | null;

/**
 * A figure of ours compared with a floor or a peer, measured in one interleaved run. Machine noise hits both
 * sides alike, so the ratio of the medians counts, never one absolute number.
 */
export interface Comparison {
  readonly name: string;
  readonly unit: string;
  readonly floorName: string;
  readonly target: Target;
  /** Pairs of measurements; the first pair is a warm-up and does not count. */
  readonly pairs: number;
  readonly ours: () => Promise<number>;
  readonly floor: () => Promise<number>;
}

export interface ComparisonResult {
  readonly name: string;
  readonly unit: string;
  readonly floorName: string;
  readonly ours: number;
  readonly floor: number;
  readonly ratio: number;
  /** Smallest and largest ratio of a pair. */
  readonly spread: readonly [number, number];
  readonly target: Target;
  /** Null if there is no target. */
  readonly met: boolean | null;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? NaN)) / 2;
}

export async function compare(
  comparison: Comparison,
  say: (line: string) => void,
): Promise<ComparisonResult> {
  const [result] = await compareFigures(
    {
      ...comparison,
      figures: [comparison],
      ours: async () => [await comparison.ours()],
      floor: async () => [await comparison.floor()],
    },
    say,
  );
  if (result === undefined) throw new Error(`${comparison.name} gave no figure`);
  return result;
}

/** Several figures of the same measurement, such as p50 and p99. */
export interface FiguresComparison {
  readonly floorName: string;
  readonly pairs: number;
  readonly figures: readonly Pick<Comparison, 'name' | 'unit' | 'target'>[];
  /** One number per figure. */
  readonly ours: () => Promise<readonly number[]>;
  readonly floor: () => Promise<readonly number[]>;
}

export async function compareFigures(
  { floorName, pairs, figures, ours, floor }: FiguresComparison,
  say: (line: string) => void,
): Promise<readonly ComparisonResult[]> {
  const measured: { readonly ours: readonly number[]; readonly floor: readonly number[] }[] = [];
  for (let pair = 0; pair <= pairs; pair++) {
    // The order alternates, so that neither side always runs on the warmer machine.
    const oursFirst = pair % 2 === 0;
    const first = await (oursFirst ? ours() : floor());
    const second = await (oursFirst ? floor() : ours());
    const both = oursFirst ? { ours: first, floor: second } : { ours: second, floor: first };
    figures.forEach(({ name }, at) => {
      say(
        `${name} [${pair}/${pairs}] ours ${figure(both.ours[at] ?? NaN)}, floor ${figure(both.floor[at] ?? NaN)}`,
      );
    });
    if (pair > 0) measured.push(both);
  }
  return figures.map(({ name, unit, target }, at) => {
    const pairsOfFigure = measured.map((both): [number, number] => [
      both.ours[at] ?? NaN,
      both.floor[at] ?? NaN,
    ]);
    return { name, unit, target, floorName, ...verdict(pairsOfFigure, target) };
  });
}

/** One figure compared with a constant: a number measured elsewhere, or a bound. Nothing is interleaved. */
export function besideConstant(
  given: Pick<ComparisonResult, 'name' | 'unit' | 'floorName' | 'ours' | 'floor' | 'target'>,
): ComparisonResult {
  return { ...given, ...verdict([[given.ours, given.floor]], given.target) };
}

function verdict(pairs: readonly (readonly [number, number])[], target: Target) {
  const ours = median(pairs.map(([value]) => value));
  const floor = median(pairs.map(([, value]) => value));
  const ratios = pairs.map(([a, b]) => a / b);
  const ratio = ours / floor;
  const spread: readonly [number, number] = [Math.min(...ratios), Math.max(...ratios)];
  return {
    ours,
    floor,
    ratio,
    spread,
    met: isMet(ratio, target),
  };
}

function isMet(ratio: number, target: Target): boolean | null {
  if (target === null) return null;
  return 'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost;
}

export function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}
