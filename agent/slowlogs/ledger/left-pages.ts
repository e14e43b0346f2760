import { forgottenAfterMs, type TailState } from '../tail/positions.js';
import { pageNamed, tailIn, type LedgerState } from './ledger-state.js';

/**
 * A page of no used endpoint and of no cluster that one leads to, with the page that knows the files for
 * which it is kept.
 */
export interface LeftPage {
  readonly name: string;
  /** Null if that page is itself in use. */
  readonly logs: TailState | null;
}

/** `endpoints` are the names of the pages of used endpoints. The page of an open intent is in use too. */
export function leftPages(state: LedgerState, endpoints: ReadonlySet<string>): readonly LeftPage[] {
  const inUse = new Set(endpoints);
  for (const endpoint of endpoints) {
    const { cluster } = tailIn(state, endpoint);
    if (cluster !== null) inUse.add(pageNamed(cluster.uuid));
  }
  if (state.intent !== null) inUse.add(state.intent.tail);
  const logsOf = (page: TailState): TailState | null => {
    // A cluster that replaces another one continues from the page that the endpoint led to.
    const name = page.cluster === null ? undefined : pageNamed(page.cluster.uuid);
    if (name === undefined || !(name in state.tails)) return page;
    return inUse.has(name) ? null : tailIn(state, name);
  };
  return Object.entries(state.tails)
    .filter(([name]) => !inUse.has(name))
    .map(([name, page]) => ({ name, logs: logsOf(page) }));
}

/**
 * Removes unused pages whose files have not existed for as long as it takes to forget a missing file. `there`
 * are the names of the pages whose files exist.
 */
export function withoutGone(
  state: LedgerState,
  endpoints: ReadonlySet<string>,
  there: ReadonlySet<string>,
  now: number,
): LedgerState {
  const left = new Set(leftPages(state, endpoints).map(({ name }) => name));
  const pages = Object.entries(state.tails).flatMap(([name, page]) => {
    const leftAt = !left.has(name) ? null : there.has(name) ? now : (page.leftAt ?? now);
    if (leftAt !== null && now - leftAt >= forgottenAfterMs) return [];
    return [[name, leftAt === page.leftAt ? page : { ...page, leftAt }] as const];
  });
  const isSame =
    pages.length === Object.keys(state.tails).length &&
    pages.every(([name, page]) => page === state.tails[name]);
  return isSame ? state : { ...state, tails: Object.fromEntries(pages) };
}
