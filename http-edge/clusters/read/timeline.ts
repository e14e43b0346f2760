import { minutesOf } from '../../applications/minutes.js';
import type { BoundedRange } from '../../results/result-reader.js';
import type { ClusterOf } from '../cluster-reader.js';
import { isKnown } from './sections.js';
import { isoOfMillis, ofClusterWithin, type Store, type StoredRow } from './store.js';
import {
  eventOfMaster,
  eventsOfNodes,
  eventsOfScore,
  longestMs,
  type TimelineEvent,
} from './timeline-events.js';

const mostEvents = 500;
/** One more than is shown, to tell whether something is left out. */
const mostRows = mostEvents + 1;

/**
 * A change is found by comparison with the row before it, so rows from before the range are read too. This is
 * longer than a short silence lasts.
 */
const beforeSeconds = 6 * 3_600;

const overTime = 'WINDOW w AS (ORDER BY ms ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)';

const isShown = 'ms >= {shown:UInt32} * 1000';

/** What happened to a cluster, newest first: colours, rules, nodes, masters, and gaps without a score. */
export async function readTimeline(
  store: Store,
  of: ClusterOf,
  range: BoundedRange,
): Promise<object | undefined> {
  const { since, until } = minutesOf(range);
  const parameters = { ...of, shown: since, since: Math.max(0, since - beforeSeconds), until };
  const [scores, nodes, masters] = await Promise.all([
    store.query<StoredRow>(changedScores, parameters),
    store.query<StoredRow>(changedNodes, parameters),
    store.query<StoredRow>(changedMasters, parameters),
  ]);
  const events: readonly TimelineEvent[] = [
    ...scores.flatMap((row) => eventsOfScore(scoreOf(row))),
    ...masters.map((row) => eventOfMaster(Number(row['ms']), textOf(row['before']), textOf(row['after']))),
    ...nodes.flatMap((row) =>
      eventsOfNodes({
        at: Number(row['ms']),
        joined: row['joined'] as readonly string[],
        left: row['gone'] as readonly string[],
        restarted: row['restarted'] as readonly string[],
      }),
    ),
  ].toSorted((one, other) => other.at - one.at);
  if (events.length === 0 && !(await isKnown(store, of))) return undefined;
  return {
    cluster_uuid: of.uuid,
    from: isoOfMillis(since * 1_000),
    to: isoOfMillis(until * 1_000),
    events: events.slice(0, mostEvents).map(({ at, ...event }) => ({ at: isoOfMillis(at), ...event })),
    cut: events.length > mostEvents,
  };
}

/**
 * Of several scores with the same timestamp, the last one counts: a score is evaluated again when more data
 * arrives.
 */
const changedScores = `
  SELECT * FROM (
    SELECT ms, status, codes, reasons, missing, missing_reasons, lagInFrame(ms, 1, 0) OVER w AS before,
      lagInFrame(status) OVER w AS status_before, lagInFrame(codes) OVER w AS codes_before
    FROM (
      SELECT toUnixTimestamp64Milli(at) AS ms, argMax(tuple(health.status), _offset).1 AS status,
        argMax(\`deductions.code\`, _offset) AS codes, argMax(\`deductions.reason\`, _offset) AS reasons,
        argMax(\`not_measured.what\`, _offset) AS missing, argMax(\`not_measured.reason\`, _offset) AS missing_reasons
      FROM telltale.cluster_health AS health WHERE ${ofClusterWithin('at')} GROUP BY at
    )
    ${overTime}
  )
  WHERE before > 0 AND ${isShown} AND (
    ifNull(status, '') != ifNull(status_before, '') OR arraySort(codes) != arraySort(codes_before)
    OR ms - before > ${longestMs})
  ORDER BY ms DESC LIMIT ${mostRows}`;

/** Compares complete snapshots only: a node whose rows have not arrived yet has not left. */
const changedNodes = `
  SELECT ms, arrayFilter(name -> NOT has(names_before, name), names) AS joined,
    arrayFilter(name -> NOT has(names, name), names_before) AS gone, restarted
  FROM (
    SELECT ms, names, restarted, lagInFrame(ms, 1, 0) OVER w AS before, lagInFrame(names) OVER w AS names_before
    FROM (
      SELECT slot, toUnixTimestamp64Milli(slot) AS ms, count() AS found,
        arraySort(groupUniqArray(ifNull(name, node_id))) AS names,
        arraySort(groupUniqArrayIf(ifNull(name, node_id), ifNull(restarted, false))) AS restarted
      FROM telltale.cluster_nodes WHERE ${ofClusterWithin('slot')} GROUP BY slot
    ) AS nodes INNER JOIN (
      SELECT slot, sum(ifNull(items, 0)) AS expected FROM telltale.cluster_overview
      WHERE ${ofClusterWithin('slot')} AND section = 'nodes' GROUP BY slot
      HAVING uniqExact(part) = any(parts) AND NOT max(partial) AND max(ifNull(nodes_cut, 0)) = 0
    ) AS whole ON nodes.slot = whole.slot
    WHERE found >= expected
    ${overTime}
  )
  WHERE before > 0 AND ${isShown} AND (notEmpty(joined) OR notEmpty(gone) OR notEmpty(restarted))
  ORDER BY ms DESC LIMIT ${mostRows}`;

const changedMasters = `
  SELECT ms, master AS after, before FROM (
    SELECT ms, master, lagInFrame(ms, 1, 0) OVER w AS last_ms, lagInFrame(master) OVER w AS before
    FROM (
      SELECT toUnixTimestamp64Milli(slot) AS ms, any(master_node) AS master FROM telltale.cluster_overview
      WHERE ${ofClusterWithin('slot')} AND section = 'health' AND (isNotNull(master_node) OR ifNull(no_master, false))
      GROUP BY slot
    )
    ${overTime}
  )
  WHERE last_ms > 0 AND ${isShown} AND ifNull(after, '') != ifNull(before, '')
  ORDER BY ms DESC LIMIT ${mostRows}`;

const scoreOf = (row: StoredRow) => ({
  at: Number(row['ms']),
  before: Number(row['before']),
  status: textOf(row['status']),
  statusBefore: textOf(row['status_before']),
  codes: row['codes'] as readonly string[],
  codesBefore: row['codes_before'] as readonly string[],
  reasons: row['reasons'] as readonly string[],
  missing: row['missing'] as readonly string[],
  missingReasons: row['missing_reasons'] as readonly string[],
});

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
