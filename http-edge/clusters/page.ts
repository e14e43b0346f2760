import type { CursorForm } from './cursors.js';
import { invalid, valueOf } from './query.js';

/** A page of a list. Items that appear or disappear between requests move no others to another page. */
export interface Page<Position> {
  readonly limit: number;
  /** Undefined: the first page. */
  readonly after: Position | undefined;
  /** How positions of this list are encoded, including the list's filter. */
  readonly cursors: CursorForm<Position>;
}

const defaultLimit = 100;
const largestLimit = 1_000;

/** `limit` and `cursor` of a query; throws the problem `invalid` that names the parameter. */
export function pageOf<Position>(query: URLSearchParams, cursors: CursorForm<Position>): Page<Position> {
  return {
    limit: limitOf(valueOf(query, 'limit')),
    after: positionOf(valueOf(query, 'cursor'), cursors),
    cursors,
  };
}

function limitOf(text: string | null): number {
  if (text === null) return defaultLimit;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= largestLimit) return limit;
  throw invalid('limit', `\`limit\` must be a whole number from 1 to ${largestLimit}.`);
}

function positionOf<Position>(text: string | null, cursors: CursorForm<Position>): Position | undefined {
  if (text === null) return undefined;
  const position = cursors.read(text);
  if (position === undefined)
    throw invalid('cursor', '`cursor` must be the `next` of an earlier answer to the same query.');
  return position;
}

/** Throws the problem `invalid`: the cursor's snapshot is no longer stored. */
export function refuseOutlived(): never {
  throw invalid('cursor', 'The snapshot of `cursor` is no longer kept; start again without `cursor`.');
}
