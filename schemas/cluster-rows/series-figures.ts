import { indexColumns } from './index-columns.js';
import { kindOf } from './kinds.js';
import { nodeColumns } from './node-columns.js';
import { healthColumns, overviewColumns } from './overview-columns.js';
import { trafficFigures } from './traffic-figures.js';

/** Figures that can be drawn over time: columns with one number in each row. */
const numbersOf = (columns: readonly string[]): readonly string[] =>
  columns.filter((column) => !column.includes('.') && kindOf(column) === 'number');

/** Figures of the cluster's own sections; each is only in the rows of one section. */
export const healthFigures = numbersOf(healthColumns);
const ofOtherSections: readonly string[] = [
  ...healthColumns,
  ...['took_ms', 'items', 'nodes_failed', 'nodes_cut', 'shards_cut', 'tasks', 'recoveries'],
  ...['data_streams', 'backing_indices'],
];
const statsFigures = numbersOf(overviewColumns).filter((column) => !ofOtherSections.includes(column));

/** The subjects of series, and the figures of each. */
export const seriesFigures = {
  cluster: ['score', ...healthFigures, ...statsFigures, ...trafficFigures],
  nodes: numbersOf(nodeColumns),
  indices: numbersOf(indexColumns),
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type SeriesSubject = keyof typeof seriesFigures;
export const seriesSubjects = Object.keys(seriesFigures) as readonly SeriesSubject[];

/** The figure if none is named. */
export const standardFigures: Readonly<Record<SeriesSubject, string>> = {
  cluster: 'score',
  nodes: 'heap_used_percent',
  indices: 'store_bytes',
};
