import { createHash } from 'node:crypto';
import { emptyTail, type ClusterNamed, type TailState } from '../tail/positions.js';

/** A put, recorded before it is tried. */
interface Intent {
  /** The tail whose entries they are. */
  readonly tail: string;
  /** The bytes that the outbox had committed before it. Files on disk use this name. */
  readonly extent: number;
  readonly ids: readonly string[];
}

/** Everything that is known about all clusters' logs. */
export interface LedgerState {
  /** A page for each endpoint, with the cluster it leads to, and one for each cluster, with what was read. */
  readonly tails: Readonly<Record<string, TailState>>;
  /** The last put that was tried, as long as it is unknown whether it was taken. */
  readonly intent: Intent | null;
}

export const emptyLedger: LedgerState = { tails: {}, intent: null };

export const tailIn = ({ tails }: LedgerState, name: string): TailState => tails[name] ?? emptyTail;

export function withTail(state: LedgerState, name: string, change: Partial<TailState>): LedgerState {
  return { ...state, tails: { ...state.tails, [name]: { ...tailIn(state, name), ...change } } };
}

/**
 * Decides whether an intended put has happened, by how much the outbox has taken until now. That is reliable
 * as long as an intent is recorded before each put and stays recorded until the next one: nothing else can
 * have made the outbox grow.
 */
export function settled(state: LedgerState, bytesCommitted: number): LedgerState {
  const { intent } = state;
  if (intent === null) return state;
  const closed = { ...state, intent: null };
  if (bytesCommitted <= intent.extent) return closed;
  const { taken } = tailIn(state, intent.tail);
  return withTail(closed, intent.tail, { taken: [...taken, ...intent.ids] });
}

/** The name of the page for an endpoint (by its address) or for a cluster (by its UUID). */
export const pageNamed = (address: string): string =>
  createHash('sha256').update(address).digest('hex').slice(0, 16);

/**
 * Adds the page of the cluster that an endpoint leads to; a cluster has one page, whichever endpoints lead to
 * it. What earlier versions stored for endpoints moves there. If the cluster replaces another one, it
 * continues at the positions in that one's files.
 */
export function ledTo(state: LedgerState, endpoint: string, cluster: ClusterNamed): LedgerState {
  const from = tailIn(state, endpoint);
  const name = pageNamed(cluster.uuid);
  const isKnown = from.cluster?.uuid === cluster.uuid && from.cluster.name === cluster.name;
  if (isKnown && name in state.tails) return state;
  const pages = Object.entries(state.tails);
  const own = pages.filter(([, page]) => page.cluster?.uuid === cluster.uuid);
  const before = pages.filter(
    ([page, known]) =>
      page === endpoint || (known.cluster !== null && known.cluster.uuid === from.cluster?.uuid),
  );
  const read = (own.some(([, page]) => saysWhatWasRead(page)) ? own : before).map(([, page]) => page);
  const emptied = own.map(([page, known]) => [page, { ...known, positions: {}, taken: [] }] as const);
  const since = [from, ...own.map(([, page]) => page)].flatMap((page) => page.since ?? []);
  const tails = {
    ...state.tails,
    ...Object.fromEntries(emptied),
    [endpoint]: { ...emptyTail, cluster, since: from.since },
    [name]: {
      cluster,
      since: since.length === 0 ? null : Math.min(...since),
      positions: latest(read),
      taken: read.flatMap(({ taken }) => taken),
      places: read.at(-1)?.places ?? null,
      leftAt: null,
    },
  };
  return { ...state, tails };
}

const saysWhatWasRead = ({ positions, taken }: TailState): boolean =>
  taken.length > 0 || Object.keys(positions).length > 0;

/** For each file, the position on the page that saw it last. */
function latest(pages: readonly TailState[]): TailState['positions'] {
  const positions = pages.flatMap((page) => Object.entries(page.positions));
  return Object.fromEntries(positions.toSorted(([, one], [, other]) => one.seenAt - other.seenAt));
}
