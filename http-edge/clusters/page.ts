import { Problem } from '../../runtime/http/problem.js';

/** A page of a list: of one snapshot (or of what was there at one time), so that the pages fit together. */
export interface Page {
  readonly limit: number;
  /** Undefined: the first page. */
  readonly from: PagePosition | undefined;
}

export interface PagePosition {
  /** Milliseconds since 1970: which snapshot the pages are of, or up to when. */
  readonly at: number;
  readonly offset: number;
}

export const defaultLimit = 100;
export const largestLimit = 1_000;
const furthestOffset = 1_000_000;

/** `limit` and `cursor` of a request's query; throws the problem `invalid` that names the parameter. */
export function pageOf(target: string): Page {
  const mark = target.indexOf('?');
  const query = new URLSearchParams(mark === -1 ? '' : target.slice(mark + 1));
  return { limit: limitOf(query.get('limit')), from: positionOf(query.get('cursor')) };
}

function limitOf(text: string | null): number {
  if (text === null) return defaultLimit;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= largestLimit) return limit;
  throw invalid('limit', `\`limit\` must be a whole number from 1 to ${largestLimit}.`);
}

function positionOf(text: string | null): PagePosition | undefined {
  if (text === null) return undefined;
  const [, at, offset] = /^(\d{1,15})-(\d{1,7})$/.exec(text) ?? [];
  if (at === undefined || Number(offset) > furthestOffset) {
    throw invalid('cursor', '`cursor` must be the `next` of an earlier answer.');
  }
  return { at: Number(at), offset: Number(offset) };
}

const invalid = (parameter: string, detail: string): Problem =>
  new Problem('invalid', 'A parameter of the query is not valid.', {
    errors: [{ pointer: `/${parameter}`, detail }],
  });

/** The cursor of the page after this one; null where there is none. `more`: whether the list goes on. */
export function nextCursor(page: Page, at: number, more: boolean): string | null {
  return more ? `${at}-${(page.from?.offset ?? 0) + page.limit}` : null;
}
