import type { Kind, Phase } from './logged-operation.js';

/** What a logger of slow logs writes of. */
export interface Logged {
  readonly kind: Kind;
  readonly phase: Phase;
}

const searchQuery: Logged = { kind: 'search', phase: 'query' };
const searchFetch: Logged = { kind: 'search', phase: 'fetch' };
const indexing: Logged = { kind: 'indexing', phase: 'index' };

/** Both the full names of the loggers and those that a plain pattern shortens. */
const loggers: Readonly<Record<string, Logged>> = {
  'index.search.slowlog.query': searchQuery,
  'index.search.slowlog.fetch': searchFetch,
  'index.indexing.slowlog.index': indexing,
  'i.s.s.query': searchQuery,
  'i.s.s.fetch': searchFetch,
  'i.i.s.index': indexing,
};

/** What a pattern that shortens (`%c{1.}`) leaves of the loggers of one index: all but the UUID at their end. */
const ofOneIndex: Readonly<Record<string, Logged>> = {
  'i.s.s.q': searchQuery,
  'i.s.s.f': searchFetch,
  'i.i.s.i': indexing,
};

/**
 * What a logger of slow logs writes of; undefined for any other. 6.8.5 to 6.8.9 and 7.5 to 7.7 have one for each index,
 * with the index's UUID behind the name (elastic/elasticsearch#47234, taken back by #56708).
 */
export function operationLogged(logger: string | null): Logged | undefined {
  const name = logger?.trim() ?? '';
  const known = Object.keys(loggers).find((known) => name === known || name.startsWith(`${known}.`));
  if (known !== undefined) return loggers[known];
  const short = /^(i\.[si]\.s\.[qfi])\.[\w-]{22}$/.exec(name)?.[1];
  return short === undefined ? undefined : ofOneIndex[short];
}
