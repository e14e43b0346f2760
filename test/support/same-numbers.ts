import assert from 'node:assert/strict';
import { indexColumns } from '../../schemas/cluster-rows/index-columns.js';
import { nodeColumns } from '../../schemas/cluster-rows/node-columns.js';
import { healthColumns } from '../../schemas/cluster-rows/overview-columns.js';
import { shardColumns } from '../../schemas/cluster-rows/shard-columns.js';
import { taskColumns } from '../../schemas/cluster-rows/task-columns.js';
import { at, type ClusterAnswers } from './cluster-answers.js';
import { indexRules } from './column-rules/index-rules.js';
import { nodeRules } from './column-rules/node-rules.js';
import { countsOf, healthRules, statsColumns, statsRules } from './column-rules/overview-rules.js';
import { startedShardRules } from './column-rules/shard-rules.js';
import { taskRules } from './column-rules/work-rules.js';
import { sameColumns, type ColumnRules, type StoredRow } from './same-columns.js';
import { watchedIndex, type WatchedCluster } from './watched-clusters.js';

export type Query = <Row>(sql: string) => Promise<readonly Row[]>;

/** Selects the rows of complete snapshots: each table is filled independently. */
export const ofWholeSnapshots = (uuid: string): string =>
  `(section, slot) IN (SELECT section, slot FROM telltale.cluster_overview WHERE cluster_uuid = '${uuid}')`;

/** The newest row of a table, with its snapshot's `unavailable`. */
export async function newestRow(
  { uuid }: WatchedCluster,
  query: Query,
  table: string,
  more: string,
): Promise<StoredRow> {
  const where = `cluster_uuid = '${uuid}'`;
  const [row] = await query<StoredRow>(
    `SELECT * FROM telltale.${table} WHERE ${where} AND ${more} AND ${ofWholeSnapshots(uuid)} ORDER BY slot DESC LIMIT 1`,
  );
  if (row === undefined) assert.fail(`${table} has no row where ${more}`);
  const [snapshot] = await query<{ readonly unavailable: object }>(
    `SELECT unavailable FROM telltale.cluster_overview WHERE ${where} AND section = '${String(row['section'])}' AND slot = '${String(row['slot'])}'`,
  );
  return { ...row, unavailable: snapshot?.unavailable ?? assert.fail(`${table} has no snapshot`) };
}

/** Checks one row against the answers of its cluster, from before its collection until after. */
export function sameRow(
  { version }: WatchedCluster,
  what: string,
  columns: readonly string[],
  rules: ColumnRules,
  row: StoredRow,
  readings: readonly ClusterAnswers[],
): void {
  const unavailable = row['unavailable'] as Readonly<Record<string, string>>;
  const major = Number(version.split('.')[0]);
  sameColumns(`${version}: ${what}`, columns, rules, row, { major, readings, unavailable });
}

/** The stored rows of every table for a quiet cluster, in which only tasks are waiting. */
export async function restingRows(cluster: WatchedCluster, query: Query) {
  const newest = (table: string, more: string) => newestRow(cluster, query, table, more);
  const { uuid } = cluster;
  const sections = await Promise.all(
    Object.keys(countsOf).map(
      async (section) => [section, await newest('cluster_overview', `section = '${section}'`)] as const,
    ),
  );
  return {
    node: await newest('cluster_nodes', 'version IS NOT NULL'),
    index: await newest('cluster_indices', `\`index\` = '${watchedIndex}'`),
    shard: await newest('cluster_shards', `\`index\` = '${watchedIndex}'`),
    health: await newest('cluster_overview', "section = 'health'"),
    stats: await newest('cluster_overview', "section = 'cluster_stats'"),
    watermarks: await newest('cluster_overview', "section = 'watermarks'"),
    sections: new Map(sections),
    tasks: await query<StoredRow>(
      `SELECT * FROM telltale.cluster_tasks WHERE cluster_uuid = '${uuid}' AND kind != 'pending'
         AND slot = (SELECT max(slot) FROM telltale.cluster_tasks WHERE cluster_uuid = '${uuid}' AND kind != 'pending')`,
    ),
  };
}

type RestingRows = Awaited<ReturnType<typeof restingRows>>;

const kinds: Readonly<Record<string, string>> = {
  'indices:data/write/reindex': 'reindex',
  'indices:data/write/update/byquery': 'update_by_query',
  'indices:data/write/delete/byquery': 'delete_by_query',
};

/** Checks every column of every table against the cluster's answers from before the rows' collection until after. */
export function sameEverything(
  cluster: WatchedCluster,
  rows: RestingRows,
  readings: readonly ClusterAnswers[],
): void {
  const same = (what: string, columns: readonly string[], rules: ColumnRules, row: StoredRow): void =>
    sameRow(cluster, what, columns, rules, row, readings);
  same('cluster_nodes', nodeColumns, nodeRules, rows.node);
  same('cluster_indices', indexColumns, indexRules, rows.index);
  same('cluster_shards', shardColumns, startedShardRules, rows.shard);
  same('cluster_overview (health)', healthColumns, healthRules, rows.health);
  same('cluster_overview (cluster_stats)', statsColumns, statsRules, rows.stats);
  for (const [section, counts] of Object.entries(countsOf)) {
    const row = rows.sections.get(section) ?? assert.fail(section);
    same(`cluster_overview (${section})`, Object.keys(counts), { same: counts, without: {} }, row);
  }
  sameWatermarks(rows.watermarks, readings);
  const [before = assert.fail('it was asked before')] = readings;
  const ids = before.tasks.map(({ id }) => id);
  assert.deepEqual(rows.tasks.map((row) => row['task_id']).sort(), ids.sort());
  assert.equal(new Set(rows.tasks.map(({ kind }) => kind)).size, Object.keys(kinds).length);
  const unavailable = rows.sections.get('tasks')?.['unavailable'];
  for (const row of rows.tasks) {
    const { id, ...task } =
      before.tasks.find((each) => each.id === row['task_id']) ?? assert.fail('it is there');
    const kind = kinds[String(at(task, 'action'))] ?? assert.fail('it has a kind');
    const slices = at(task, 'status', 'slices');
    const isSplit = Array.isArray(slices) && slices.includes(null);
    same(`cluster_tasks (${kind})`, taskColumns, taskRules(kind, id, isSplit), { ...row, unavailable });
  }
}

/** The disk watermarks that the cluster uses. */
function sameWatermarks(row: StoredRow, readings: readonly ClusterAnswers[]): void {
  const said = at(readings[0]?.settings, 'defaults') ?? assert.fail('it was asked');
  const path = 'cluster.routing.allocation.disk.watermark';
  const told = JSON.parse(String(row['details'])) as Readonly<Record<string, { readonly text: string }>>;
  for (const mark of ['low', 'high', 'flood_stage']) {
    assert.equal(told[mark]?.text, at(said, `${path}.${mark}`), mark);
  }
}
