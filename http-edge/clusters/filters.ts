import { isoMicros } from '../../schemas/iso-time.js';
import { longestIndexName } from '../../schemas/snapshots/index-section.js';
import { shardState } from '../../schemas/snapshots/shard-section.js';
import { invalid, valueOf } from './query.js';

/** What is asked of a list, microseconds since 1970: from the first moment on, and before the second. */
export interface TimeRange {
  readonly from?: number;
  readonly to?: number;
}

/** What is asked of the shards or the indices of a snapshot. */
export interface ListFilter {
  readonly state?: string;
  /** Of the index's name. */
  readonly prefix?: string;
}

/** `from` and `to` of a query; throws the problem `invalid` that names the parameter. */
export function timeRangeOf(query: URLSearchParams): TimeRange {
  const from = timestampOf(query, 'from');
  const to = timestampOf(query, 'to');
  if (from !== undefined && to !== undefined && to <= from)
    throw invalid(
      'to',
      '`to` must be later than `from`: what is asked for is from `from` on, and before `to`.',
    );
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

function timestampOf(query: URLSearchParams, parameter: string): number | undefined {
  const text = valueOf(query, parameter);
  if (text === null) return undefined;
  // A plus that was not escaped arrives as a space; it stands before the zone.
  const moment = isoMicros(text.includes('T') ? text.replace(' ', '+') : text);
  if (moment !== undefined) return moment;
  throw invalid(
    parameter,
    `\`${parameter}\` must be a timestamp in ISO 8601, like 2026-01-31T12:00:00.000Z.`,
  );
}

export function shardFilterOf(query: URLSearchParams): ListFilter {
  const state = valueOf(query, 'state');
  if (state === null) return {};
  if (shardState.safeParse(state).success) return { state };
  throw invalid('state', `\`state\` must be one of ${shardState.options.join(', ')}.`);
}

export function indexFilterOf(query: URLSearchParams): ListFilter {
  const prefix = valueOf(query, 'prefix');
  if (prefix === null) return {};
  if (prefix.length >= 1 && prefix.length <= longestIndexName) return { prefix };
  throw invalid(
    'prefix',
    `\`prefix\` must have 1 to ${longestIndexName} characters; without it, all indices are listed.`,
  );
}

export const noFilter = (): Readonly<Record<string, never>> => ({});
