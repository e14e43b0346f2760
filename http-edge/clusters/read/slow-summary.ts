import { minutesOf } from '../../applications/minutes.js';
import type { BoundedRange } from '../../results/result-reader.js';
import type { ClusterOf } from '../cluster-reader.js';
import type { SlowFilter } from '../slow-filter.js';
import { isHeardOf } from './slow-known.js';
import { fingerprint, shape, shapePatterns, slowConditionsOf } from './slow-shapes.js';
import { iso, isoOfMillis, ofCluster, type Store, type StoredRow } from './store.js';

const mostGroups = 100;
const mostPoints = 120;

const within = (timestamp: string): string =>
  `${ofCluster} AND ${timestamp} >= toDateTime({since:UInt32}, 'UTC') AND ${timestamp} < toDateTime({until:UInt32}, 'UTC')`;

/**
 * Slow operations by the shape of their query, those with the largest total time first; and how many there were over
 * time.
 */
export async function readSlowSummary(
  store: Store,
  of: ClusterOf,
  range: BoundedRange,
  filter: SlowFilter,
): Promise<object | undefined> {
  const { since, until, step } = minutesOf(range, mostPoints);
  const parameters = { ...of, ...filter, ...shapePatterns, since, until, step };
  const entries = `SELECT * FROM telltale.slow_operations WHERE ${within('at')} ${slowConditionsOf(filter)}
    ORDER BY at, id LIMIT 1 BY id`;
  const [groups, counts, heard] = await Promise.all([
    store.query<StoredRow>(
      `SELECT ${fingerprint} AS fingerprint, kind, phase, any(${shape}) AS shape, count() AS entries, sum(took_ms) AS total_ms,
          quantilesTDigest(0.5, 0.95, 0.99)(took_ms) AS spread, max(took_ms) AS longest, arraySort(groupUniqArray(10)(\`index\`)) AS indices,
          toString(max(at)) AS latest, count() OVER () AS all_groups
       FROM (${entries}) GROUP BY fingerprint, kind, phase ORDER BY total_ms DESC, fingerprint LIMIT ${mostGroups}`,
      parameters,
    ),
    store.query<StoredRow>(
      `SELECT intDiv(toUnixTimestamp(at), {step:UInt32}) * {step:UInt32} AS timestamp, countIf(kind = 'search') AS searches,
          countIf(kind = 'indexing') AS indexing
       FROM (${entries}) GROUP BY timestamp`,
      parameters,
    ),
    store.query<StoredRow>(
      `SELECT DISTINCT intDiv(toUnixTimestamp(slot), {step:UInt32}) * {step:UInt32} AS timestamp
       FROM telltale.cluster_overview WHERE ${within('slot')}`,
      parameters,
    ),
  ]);
  if (groups.length === 0 && heard.length === 0 && !(await isHeardOf(store, of))) return undefined;
  return {
    cluster_uuid: of.uuid,
    from: isoOfMillis(since * 1_000),
    to: isoOfMillis(until * 1_000),
    step_seconds: step,
    points: pointsOf(counts, heard),
    total: Number(groups[0]?.['all_groups'] ?? 0),
    groups: groups.map(viewOfGroup),
  };
}

/** A point is zero only where the cluster was heard of; else it is left out. */
function pointsOf(counts: readonly StoredRow[], heard: readonly StoredRow[]): readonly object[] {
  const byTimestamp = new Map(counts.map((row) => [Number(row['timestamp']), row]));
  const timestamps = [...new Set([...byTimestamp.keys(), ...heard.map((row) => Number(row['timestamp']))])];
  return timestamps
    .sort((one, other) => one - other)
    .map((timestamp) => ({
      at: isoOfMillis(timestamp * 1_000),
      search: Number(byTimestamp.get(timestamp)?.['searches'] ?? 0),
      indexing: Number(byTimestamp.get(timestamp)?.['indexing'] ?? 0),
    }));
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
