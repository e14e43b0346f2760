export interface Scored {
  readonly score: number;
  readonly label: boolean;
}

/** The probability that a positive scores above a negative; ties count half. */
export function areaUnderCurve(rows: readonly Scored[]): number {
  const ranks = ranksOf(rows.map(({ score }) => score));
  const positive = rows.flatMap(({ label }, index) => (label ? [ranks[index] ?? NaN] : []));
  const negatives = rows.length - positive.length;
  const sum = positive.reduce((total, rank) => total + rank, 0);
  return (sum - (positive.length * (positive.length + 1)) / 2) / (positive.length * negatives);
}

/** Spearman's rank correlation. */
export function rankCorrelation(left: readonly number[], right: readonly number[]): number {
  return correlation(ranksOf(left), ranksOf(right));
}

/** Ranks from 1; equal values share the mean of theirs. */
function ranksOf(values: readonly number[]): number[] {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const ranks = new Array<number>(values.length);
  for (let from = 0; from < order.length;) {
    let to = from;
    while (to < order.length && order[to]?.value === order[from]?.value) to++;
    for (const { index } of order.slice(from, to)) ranks[index] = (from + 1 + to) / 2;
    from = to;
  }
  return ranks;
}

function correlation(left: readonly number[], right: readonly number[]): number {
  const centred = (values: readonly number[]): number[] => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.map((value) => value - mean);
  };
  const [a, b] = [centred(left), centred(right)];
  const product = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, index) => sum + value * (y[index] ?? NaN), 0);
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
}
