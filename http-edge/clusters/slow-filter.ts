import { slowOperationKinds } from '../../schemas/slow-operations.js';
import { timeRangeOf, type TimeRange } from './filters.js';
import { invalid, valueOf } from './query.js';

/** The filters of the slow logs. */
export interface SlowFilter {
  readonly index?: string;
  /** The node's name. */
  readonly node?: string;
  readonly kind?: string;
  /** Milliseconds: leaves out faster operations. */
  readonly min_took_ms?: number;
  /** The fingerprint of the query's shape. */
  readonly shape?: string;
}

/** `slowest`: the slowest first; otherwise the newest first. */
export interface SlowQuery extends SlowFilter, TimeRange {
  readonly sort?: 'slowest';
}

const longestName = 512;

/** The filters of a query; throws the problem `invalid` that names the parameter. */
export function slowFilterOf(query: URLSearchParams): SlowFilter {
  const index = nameOf(query, 'index');
  const node = nameOf(query, 'node');
  const kind = valueOf(query, 'kind');
  if (kind !== null && !(slowOperationKinds as readonly string[]).includes(kind))
    throw invalid('kind', `\`kind\` must be one of ${slowOperationKinds.join(', ')}.`);
  const took = valueOf(query, 'min_took_ms');
  if (took !== null && !/^\d{1,9}$/.test(took))
    throw invalid('min_took_ms', '`min_took_ms` must be a whole number of milliseconds.');
  const shape = valueOf(query, 'shape');
  if (shape !== null && !/^[0-9a-f]{16}$/.test(shape))
    throw invalid('shape', '`shape` must be the `fingerprint` of a group of the summary.');
  return {
    ...(index !== null && { index }),
    ...(node !== null && { node }),
    ...(kind !== null && { kind }),
    ...(took !== null && { min_took_ms: Number(took) }),
    ...(shape !== null && { shape }),
  };
}

export function slowQueryOf(query: URLSearchParams): SlowQuery {
  const sort = valueOf(query, 'sort');
  if (sort !== null && sort !== 'newest' && sort !== 'slowest')
    throw invalid('sort', '`sort` must be newest or slowest.');
  return { ...timeRangeOf(query), ...slowFilterOf(query), ...(sort === 'slowest' && { sort }) };
}

function nameOf(query: URLSearchParams, parameter: string): string | null {
  const text = valueOf(query, parameter);
  if (text === null || (text !== '' && text.length <= longestName)) return text;
  throw invalid(parameter, `\`${parameter}\` must have 1 to ${longestName} characters.`);
}
