import type { Answer } from '../../api/client.js';
import { formatBytes, formatNumber } from '../../shared/format.js';

type Figures = Pick<
  Answer<'/api/v1/events/series'>['series'][number]['points'][number],
  'sum' | 'last' | 'p95'
>;

/** The figure that says most about a metric of one type, and how it is written. */
export interface Fitted {
  readonly name: string;
  readonly valueOf: (figures: Figures) => number | null;
  readonly write: (value: number | null) => string;
  readonly isBytes?: boolean;
}

const plain = (value: number | null): string => formatNumber(value, 3);

/** Sums of what is counted, the 95th percentile of what is spread, the last value of what is measured. */
export function fitted(type: string): Fitted {
  switch (type) {
    case 'increment':
    case 'decrement':
      return { name: 'sum', valueOf: ({ sum }) => sum, write: plain };
    case 'distribution':
      return { name: 'p95', valueOf: ({ p95 }) => p95, write: plain };
    case 'percentage':
      return { name: 'last', valueOf: ({ last }) => last, write: (value) => `${plain(value)} %` };
    case 'systembyte':
      return { name: 'last', valueOf: ({ last }) => last, write: formatBytes, isBytes: true };
    default:
      return { name: 'last', valueOf: ({ last }) => last, write: plain };
  }
}
