import type { Kind, Phase } from './logged-operation.js';

/** What a slow log's logger writes about. */
export interface Logged {
  readonly kind: Kind;
  readonly phase: Phase;
}

const searchQuery: Logged = { kind: 'search', phase: 'query' };
const searchFetch: Logged = { kind: 'search', phase: 'fetch' };
const indexing: Logged = { kind: 'indexing', phase: 'index' };

/** The full names of the loggers, and those that a plain pattern shortens. */
const loggers: Readonly<Record<string, Logged>> = {
  'index.search.slowlog.query': searchQuery,
  'index.search.slowlog.fetch': searchFetch,
  'index.indexing.slowlog.index': indexing,
  'i.s.s.query': searchQuery,
  'i.s.s.fetch': searchFetch,
  'i.i.s.index': indexing,
};

/** What a shortening pattern (`%c{1.}`) leaves of the loggers of one index: everything but the UUID at their end. */
const ofOneIndex: Readonly<Record<string, Logged>> = {
  'i.s.s.q': searchQuery,
  'i.s.s.f': searchFetch,
  'i.i.s.i': indexing,
};

/**
 * What a slow log's logger writes about; undefined for any other logger. 6.8.5 to 6.8.9 and 7.5 to 7.7 have one for
 * each index, with the index's UUID after the name (elastic/elasticsearch#47234, reverted by #56708).
 */
export function operationLogged(logger: string | null): Logged | undefined {
  const name = logger?.trim() ?? '';
  const known = Object.keys(loggers).find((known) => name === known || name.startsWith(`${known}.`));
  if (known !== undefined) return loggers[known];
  const short = /^(i\.[si]\.s\.[qfi])\.[\w-]{22}$/.exec(name)?.[1];
  return short === undefined ? undefined : ofOneIndex[short];
}
