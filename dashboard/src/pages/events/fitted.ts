import type { Answer } from '../../api/client.js';
import { formatBytes, formatNumber } from '../../shared/format.js';

type Figures = Pick<
  Answer<'/api/v1/events/series'>['series'][number]['points'][number],
  'sum' | 'min' | 'max' | 'last' | 'p50' | 'p95' | 'p99'
>;

interface FittedLine {
  readonly name: string;
  readonly valueOf: (figures: Figures) => number | null;
}

/** The most useful figures for a metric of one type, and how to write them. A list shows the first one. */
export interface Fitted {
  readonly lines: readonly [FittedLine, ...FittedLine[]];
  readonly write: (value: number | null) => string;
  readonly isBytes?: boolean;
}

const plain = (value: number | null): string => formatNumber(value, 3);
const lineOf = (name: keyof Figures): FittedLine => ({ name, valueOf: (figures) => figures[name] });
const counted: Fitted['lines'] = [lineOf('sum')];
const spread: Fitted['lines'] = [lineOf('p95'), lineOf('p50'), lineOf('p99')];
/** With the lowest and the highest value, because the last value hides what happened within a step. */
const measured: Fitted['lines'] = [lineOf('last'), lineOf('min'), lineOf('max')];

/** Sums for counts, percentiles for distributions, the last value and the range for measurements. */
export function fitted(type: string): Fitted {
  switch (type) {
    case 'increment':
    case 'decrement':
      return { lines: counted, write: plain };
    case 'distribution':
      return { lines: spread, write: plain };
    case 'percentage':
      return { lines: measured, write: (value) => `${plain(value)} %` };
    case 'systembyte':
      return { lines: measured, write: formatBytes, isBytes: true };
    default:
      return { lines: measured, write: plain };
  }
}
