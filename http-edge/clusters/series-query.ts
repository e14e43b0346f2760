import {
  seriesFigures,
  standardFigures,
  type SeriesSubject,
} from '../../schemas/cluster-rows/series-figures.js';
import { invalid, valueOf } from './query.js';

/** Whose figure is requested over time, and which one. */
export interface SeriesQuery {
  readonly of: SeriesSubject;
  /** The name of a column, from the list of figures. */
  readonly figure: string;
  /** One node or index; all of them if absent. */
  readonly id?: string;
  /** The largest number of lines. */
  readonly limit: number;
}

const longestId = 512;
const standardLimit = 6;
const mostSeries = 50;

/** `figure`, `id` and `limit` of a query; throws the problem `invalid` that names the parameter. */
export function seriesQueryOf(of: SeriesSubject, query: URLSearchParams): SeriesQuery {
  const figure = valueOf(query, 'figure') ?? standardFigures[of];
  if (!seriesFigures[of].includes(figure))
    throw invalid(
      'figure',
      `\`figure\` must be one of the document's list, such as ${seriesFigures[of].slice(0, 3).join(', ')}.`,
    );
  const id = valueOf(query, 'id');
  if (id !== null && (id === '' || id.length > longestId))
    throw invalid(
      'id',
      `\`id\` must have 1 to ${longestId} characters: the id of a node or the name of an index.`,
    );
  return { of, figure, ...(id !== null && { id }), limit: limitOf(valueOf(query, 'limit')) };
}

function limitOf(text: string | null): number {
  if (text === null) return standardLimit;
  const limit = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= mostSeries) return limit;
  throw invalid('limit', `\`limit\` must be a whole number from 1 to ${mostSeries}.`);
}
