import { indexSorts, nodeSorts } from '../../schemas/cluster-rows/list-sorts.js';
import { isoMicros } from '../../schemas/iso-time.js';
import { longestIndexName } from '../../schemas/snapshots/index-section.js';
import { shardState } from '../../schemas/snapshots/shard-section.js';
import { invalid, valueOf } from './query.js';

/** The requested range, in microseconds since 1970: `from` is included, `to` is not. */
export interface TimeRange {
  readonly from?: number;
  readonly to?: number;
}

/** The filters of a list that is read from a snapshot. */
export interface ListFilter {
  /** A shard's state. */
  readonly state?: string;
  /** A prefix of an index's name. */
  readonly prefix?: string;
  /** A node's role. */
  readonly role?: string;
  /** An index's health. */
  readonly health?: string;
  /** `true`: indices that are slower than their thresholds. */
  readonly slow?: string;
  /** `true`: tasks waiting for the master instead of long-running tasks. */
  readonly pending?: string;
  /** The index, and the node by name, whose shards are listed. */
  readonly index?: string;
  readonly node?: string;
  /** The sort key; absent for the list's default order. */
  readonly sort?: string;
}

/** `from` and `to` of a query; throws the problem `invalid` that names the parameter. */
export function timeRangeOf(query: URLSearchParams): TimeRange {
  const from = timestampOf(query, 'from');
  const to = timestampOf(query, 'to');
  if (from !== undefined && to !== undefined && to <= from)
    throw invalid('to', '`to` must be later than `from`: `from` is included, `to` is not.');
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

function timestampOf(query: URLSearchParams, parameter: string): number | undefined {
  const text = valueOf(query, parameter);
  if (text === null) return undefined;
  // A plus sign that was not escaped arrives as a space; it precedes the zone.
  const micros = isoMicros(text.includes('T') ? text.replace(' ', '+') : text);
  if (micros !== undefined) return micros;
  throw invalid(
    parameter,
    `\`${parameter}\` must be a timestamp in ISO 8601, like 2026-01-31T12:00:00.000Z.`,
  );
}

const longestName = 512;
const isRole = (text: string): boolean => /^\w{1,64}$/.test(text);
const isName = (text: string): boolean => text.length >= 1 && text.length <= longestName;

/** What each parameter must be, as the rest of a sentence that starts with its name. */
const accepted: Readonly<
  Record<Exclude<keyof ListFilter, 'sort'>, readonly [is: (text: string) => boolean, must: string]>
> = {
  state: [(text) => shardState.safeParse(text).success, `must be one of ${shardState.options.join(', ')}`],
  prefix: [
    (text) => text.length >= 1 && text.length <= longestIndexName,
    `must have 1 to ${longestIndexName} characters; without it, all indices are listed`,
  ],
  role: [isRole, 'must be the name of a role, such as data or master'],
  health: [(text) => ['green', 'yellow', 'red'].includes(text), 'must be green, yellow or red'],
  slow: [(text) => text === 'true', 'must be true; without it, all indices are listed'],
  pending: [(text) => text === 'true', 'must be true; without it, long-running tasks are listed'],
  index: [isName, `must have 1 to ${longestName} characters`],
  node: [isName, `must have 1 to ${longestName} characters`],
};

function listFilterOf(
  query: URLSearchParams,
  names: readonly Exclude<keyof ListFilter, 'sort'>[],
  sorts: readonly string[] = [],
): ListFilter {
  const filter: { -readonly [Name in keyof ListFilter]: ListFilter[Name] } = {};
  for (const name of names) {
    const text = valueOf(query, name);
    if (text === null) continue;
    const [is, must] = accepted[name];
    if (!is(text)) throw invalid(name, `\`${name}\` ${must}.`);
    filter[name] = text;
  }
  if (sorts.length === 0) return filter;
  const sort = valueOf(query, 'sort') ?? sorts[0];
  if (sort === undefined || !sorts.includes(sort))
    throw invalid('sort', `\`sort\` must be one of ${sorts.join(', ')}.`);
  return sort === sorts[0] ? filter : { ...filter, sort };
}

export const nodeFilterOf = (query: URLSearchParams): ListFilter => listFilterOf(query, ['role'], nodeSorts);

export const indexFilterOf = (query: URLSearchParams): ListFilter =>
  listFilterOf(query, ['prefix', 'health', 'slow'], indexSorts);

export const shardFilterOf = (query: URLSearchParams): ListFilter =>
  listFilterOf(query, ['state', 'index', 'node']);

export const taskFilterOf = (query: URLSearchParams): ListFilter => listFilterOf(query, ['pending']);

export const noFilter = (): Readonly<Record<string, never>> => ({});
