import type { CsvRow } from '../../shared/csv.js';
import { absent, formatNumber } from '../../shared/format.js';

/** One figure of a metric object as it is displayed. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  /** Why there is no value; empty if there is one. */
  readonly reason: string;
}

export interface MetricFigures {
  readonly metric: string;
  readonly figures: readonly Figure[];
}

/** The figures of all metrics, one row per figure. */
export const figureRows = (metrics: readonly MetricFigures[]): readonly CsvRow[] =>
  metrics.flatMap(({ metric, figures }) => figures.map((figure) => ({ metric, ...figure })));

type MetricObjects = Readonly<Record<string, unknown>>;

/** Not figures: the time of calculation, the reasons for nulls, and personal data, which the text shows. */
const notShown = /^(created_at|unavailable|(prompt|response)\.pii_engine\.result)$/;

/** The figures of every metric, in the result's order. A figure that could not be computed has the reason. */
export function figuresOf(
  metrics: MetricObjects,
  unavailable: Readonly<Record<string, string>>,
): readonly MetricFigures[] {
  return Object.entries(metrics).map(([metric, object]) => {
    const fields = (object ?? {}) as MetricObjects;
    const said = fields['unavailable'];
    const reason = typeof said === 'string' ? said : (unavailable[metric] ?? 'not computed');
    const figures = Object.entries(fields)
      .filter(([name]) => !notShown.test(name))
      .map(([name, value]) => ({
        name,
        value: textOf(value),
        reason: value === null ? reasonFor(name, reason) : '',
      }));
    return { metric, figures };
  });
}

/** If a metric's figures have different reasons, its reason is `figure, figure: reason; figure: reason`. */
function reasonFor(figure: string, reason: string): string {
  const parts = reason.split(/; (?=[\w.]+(?:, [\w.]+)*: )/);
  for (const part of parts) {
    const [, figures, own] = /^([\w.]+(?:, [\w.]+)*): (.+)$/s.exec(part) ?? [];
    if (own !== undefined && figures?.split(', ').includes(figure) === true) return own;
  }
  return reason;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return absent;
  if (typeof value === 'number') return formatNumber(value, 4);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
