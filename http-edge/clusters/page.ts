import { Problem } from '../../runtime/http/problem.js';
import type { CursorForm } from './cursors.js';

/** A page of a list. What comes in or goes away meanwhile moves nothing from one page to another. */
export interface Page<Position> {
  readonly limit: number;
  /** Undefined: the first page. */
  readonly from: Position | undefined;
}

export const defaultLimit = 100;
export const largestLimit = 1_000;

/** `limit` and `cursor` of a request's query; throws the problem `invalid` that names the parameter. */
export function pageOf<Position>(target: string, form: CursorForm<Position>): Page<Position> {
  const mark = target.indexOf('?');
  const query = new URLSearchParams(mark === -1 ? '' : target.slice(mark + 1));
  return { limit: limitOf(query.get('limit')), from: positionOf(query.get('cursor'), form) };
}

function limitOf(text: string | null): number {
  if (text === null) return defaultLimit;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= largestLimit) return limit;
  throw invalid('limit', `\`limit\` must be a whole number from 1 to ${largestLimit}.`);
}

function positionOf<Position>(text: string | null, form: CursorForm<Position>): Position | undefined {
  if (text === null) return undefined;
  const position = form.read(text);
  if (position === undefined) throw invalid('cursor', '`cursor` must be the `next` of an earlier answer.');
  return position;
}

/** Throws the problem `invalid`: the list at which a cursor points is there no longer. */
export function refuseOutlived(): never {
  throw invalid('cursor', 'The snapshot of `cursor` is no longer kept; begin again without `cursor`.');
}

const invalid = (parameter: string, detail: string): Problem =>
  new Problem('invalid', 'A parameter of the query is not valid.', {
    errors: [{ pointer: `/${parameter}`, detail }],
  });
