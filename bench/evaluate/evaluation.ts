/** One figure of a metric on a labelled set, with the reference's figure and the required one. */
export interface Evaluation {
  readonly metric: string;
  readonly set: string;
  readonly measure: string;
  readonly figure: number;
  readonly reference: number | null;
  readonly target: { readonly atLeast: number } | { readonly atMost: number };
  /** How the figure was found, unless by scoring the set as it is. */
  readonly note?: string;
}

/** The figures, or why there are none. */
export type Evaluated = readonly Evaluation[] | { readonly skipped: string };

export function isMet({ figure, target }: Evaluation): boolean {
  return 'atLeast' in target ? figure >= target.atLeast : figure <= target.atMost;
}

export function lineOf(evaluation: Evaluation): string {
  const { metric, set, measure, figure, reference, target, note } = evaluation;
  const wanted = 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
  const known = reference === null ? '' : `, reference ${reference}`;
  const told = note === undefined ? '' : ` (${note})`;
  const verdict = isMet(evaluation) ? 'met' : 'NOT MET';
  return `${metric} · ${set} · ${measure}: ${figure.toFixed(4)} (wanted ${wanted}${known}) ${verdict}${told}`;
}

export const notHere = (set: string): Evaluated => ({ skipped: `${set} is not beside the checkout` });
