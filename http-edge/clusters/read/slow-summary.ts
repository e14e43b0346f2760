import { minutesOf } from '../../applications/minutes.js';
import type { SlowOperationKind } from '../../../schemas/slow-operations.js';
import type { BoundedRange } from '../../results/result-reader.js';
import type { ClusterOf } from '../cluster-reader.js';
import type { SlowFilter } from '../slow-filter.js';
import { hasAnyData } from './slow-known.js';
import { readSlowLogReports, whyNoneKnown, type SlowLogReports } from './slow-logs-read.js';
import { fingerprint, shape, shapePatterns, slowConditionsOf } from './slow-shapes.js';
import { iso, isoOfMillis, ofClusterWithin, type Store, type StoredRow } from './store.js';

const mostGroups = 100;
const mostPoints = 120;
/**
 * Seconds. A slot can start this long before its data is taken, and only then does an agent look at the logs.
 */
const longestInterval = 3_600;

/** Slow operations by the shape of their query, largest total time first, and their number over time. */
export async function readSlowSummary(
  store: Store,
  of: ClusterOf,
  range: BoundedRange,
  filter: SlowFilter,
): Promise<object | undefined> {
  const { since, until, step } = minutesOf(range, mostPoints);
  const parameters = { ...of, ...filter, ...shapePatterns, since, until, step };
  const entries = `SELECT * FROM telltale.slow_operations WHERE ${ofClusterWithin('at')} ${slowConditionsOf(filter)}
    ORDER BY at, id LIMIT 1 BY id`;
  const [groups, counts, heard, reports] = await Promise.all([
    store.query<StoredRow>(
      `SELECT ${fingerprint} AS fingerprint, kind, phase, any(${shape}) AS shape, count() AS entries, sum(took_ms) AS total_ms,
          quantilesTDigest(0.5, 0.95, 0.99)(took_ms) AS spread, max(took_ms) AS longest, arraySort(groupUniqArray(10)(\`index\`)) AS indices,
          toString(max(at)) AS latest, count() OVER () AS all_groups
       FROM (${entries}) GROUP BY fingerprint, kind, phase ORDER BY total_ms DESC, fingerprint LIMIT ${mostGroups}`,
      parameters,
    ),
    store.query<StoredRow>(
      `SELECT intDiv(toUnixTimestamp(at), {step:UInt32}) * {step:UInt32} AS timestamp, countIf(kind = 'search') AS search,
          countIf(kind = 'indexing') AS indexing
       FROM (${entries}) GROUP BY timestamp`,
      parameters,
    ),
    store.query<StoredRow>(
      `SELECT DISTINCT intDiv(toUnixTimestamp(taken_at), {step:UInt32}) * {step:UInt32} AS timestamp
       FROM telltale.cluster_overview WHERE ${ofClusterWithin('taken_at')} AND slot >= toDateTime({begun:UInt32}, 'UTC')`,
      { ...parameters, begun: Math.max(0, since - longestInterval) },
    ),
    readSlowLogReports(store, of, { since, until, step }),
  ]);
  if (groups.length === 0 && heard.length === 0 && !(await hasAnyData(store, of))) return undefined;
  return {
    cluster_uuid: of.uuid,
    from: isoOfMillis(since * 1_000),
    to: isoOfMillis(until * 1_000),
    step_seconds: step,
    points: pointsOf({ counts, heard, reports, step, asked: filter.kind }),
    total: Number(groups[0]?.['all_groups'] ?? 0),
    groups: groups.map(viewOfGroup),
  };
}

interface Counted {
  readonly counts: readonly StoredRow[];
  readonly heard: readonly StoredRow[];
  readonly reports: SlowLogReports;
  readonly step: number;
  /** The only kind that was requested, if there is one. */
  readonly asked: string | undefined;
}

/**
 * A count is zero only if an agent read the logs and a threshold is set. Otherwise it is null, with a reason.
 */
function pointsOf({ counts, heard, reports, step, asked }: Counted): readonly object[] {
  const byTimestamp = new Map(counts.map((row) => [Number(row['timestamp']), row]));
  const timestamps = [...new Set([...byTimestamp.keys(), ...heard.map((row) => Number(row['timestamp']))])];
  const countIn = (kind: SlowOperationKind, from: number): number =>
    Number(byTimestamp.get(from)?.[kind] ?? 0);
  const isLogged = (kind: SlowOperationKind): boolean => counts.some((row) => Number(row[kind]) > 0);
  const logged = { search: isLogged('search'), indexing: isLogged('indexing') };
  const whyNot = (kind: SlowOperationKind, from: number): string | null => {
    if (countIn(kind, from) > 0) return null;
    if (asked !== undefined && asked !== kind) return `Only ${asked} was requested.`;
    return whyNoneKnown(reports, kind, { from, to: from + step }, logged[kind]);
  };
  return timestamps
    .sort((one, other) => one - other)
    .map((from) => {
      const [search, indexing] = [whyNot('search', from), whyNot('indexing', from)];
      return {
        at: isoOfMillis(from * 1_000),
        search: search === null ? countIn('search', from) : null,
        indexing: indexing === null ? countIn('indexing', from) : null,
        search_gap: search,
        indexing_gap: indexing,
      };
    });
}

function viewOfGroup(row: StoredRow): object {
  const [p50, p95, p99] = row['spread'] as readonly number[];
  return {
    ...{
      fingerprint: row['fingerprint'],
      kind: row['kind'],
      phase: row['phase'],
      shape: row['shape'] ?? null,
    },
    ...{ indices: row['indices'], count: Number(row['entries']), sum_ms: row['total_ms'] },
    ...{ p50_ms: p50, p95_ms: p95, p99_ms: p99, max_ms: row['longest'], latest_at: iso(row['latest']) },
  };
}
