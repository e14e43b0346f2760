import { ofWorkspace, statement, timestampSql, type SqlScope } from '../../shared/sql-text.js';
import { ofCluster } from './sql.js';

const deductionFields = ['code', 'category', 'points', 'points_alone', 'reason'] as const;

/** The reasons of a score. If several scores have the same timestamp, those of the last one. */
export const deductionsSql = (
  { uuid, at }: { readonly uuid: string; readonly at: string | null },
  scope: SqlScope,
): string => {
  const when = [...ofIt(uuid, scope), ...(at === null ? [] : [`at = ${timestampSql(at)}`])];
  return statement({
    select: ['at', 'score', ...deductionFields],
    from: `telltale.cluster_health\nARRAY JOIN ${deductionFields.map((field) => `\`deductions.${field}\` AS ${field}`).join(', ')}`,
    where: [
      ...when,
      `_offset = (SELECT argMax(_offset, (at, _offset)) FROM telltale.cluster_health WHERE ${when.join(' AND ')})`,
    ],
    rest: ['ORDER BY points DESC, code'],
  });
};

/** The slots of the totals; null if nothing was collected. */
interface Slots {
  readonly health: string | null;
  readonly stats: string | null;
  readonly traffic: string | null;
}

/** The totals, one row per section; traffic is a sum over the nodes. */
export const totalsSql = (uuid: string, { health, stats, traffic }: Slots, scope: SqlScope): string =>
  statement({
    select: [
      ...['section', 'slot', 'nodes', 'data_nodes', 'master_node', 'active_shards', 'unassigned_shards'],
      ...['unassigned_primaries', 'pending_tasks', 'pending_tasks_max_wait_ms', 'indices', 'docs_count'],
      ...['store_bytes', 'fs_available_bytes'],
      ...['queries_per_second', 'indexed_per_second'].map((figure) =>
        trafficSql(figure, [...ofIt(uuid, scope), ...atSlot(traffic)]),
      ),
    ],
    from: 'telltale.cluster_overview',
    where: [...ofIt(uuid, scope), `(${ofSection('health', health)} OR ${ofSection('cluster_stats', stats)})`],
    rest: ['ORDER BY section, slot DESC, part', 'LIMIT 1 BY section'],
  });

/** The sum is null if a node lacks the figure or was not seen: it would be too low. */
const trafficSql = (figure: string, where: readonly string[]): string => {
  const cut = `SELECT max(nodes_cut) FROM telltale.cluster_overview WHERE ${where.join(' AND ')} AND section = 'nodes'`;
  return `(SELECT if(countIf(isNull(${figure})) > 0 OR max(partial) OR (${cut}) > 0, NULL, sum(${figure})) FROM telltale.cluster_nodes WHERE ${where.join(' AND ')}) AS ${figure}`;
};

/** The last snapshot of each section, and the agent's reasons for those that it can't collect. */
export const sectionsSql = (uuid: string, scope: SqlScope): string =>
  statement({
    select: [
      ...['section', 'slot AS as_of', 'interval_seconds', 'partial', 'unavailable'],
      "if(section = 'capabilities', details, NULL) AS what_the_agent_says",
    ],
    from: 'telltale.cluster_overview',
    where: [...ofIt(uuid, scope), 'slot > now() - INTERVAL 7 DAY'],
    rest: ['ORDER BY section, slot DESC, part', 'LIMIT 1 BY section'],
  });

const ofIt = (uuid: string, scope: SqlScope): readonly string[] => [ofWorkspace(scope), ofCluster(uuid)];

const atSlot = (at: string | null): readonly string[] => [
  `slot = ${at === null ? 'NULL' : timestampSql(at)}`,
];

const ofSection = (section: string, at: string | null): string =>
  [`section = '${section}'`, ...atSlot(at)].join(' AND ');
