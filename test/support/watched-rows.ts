import assert from 'node:assert/strict';
import { at, type ClusterAnswers } from './cluster-answers.js';
import { checked, scoresWith, type NodeRow, type ScoreRow } from './cluster-rows.js';
import { countsOf } from './column-rules/overview-rules.js';
import type { StoredRow } from './same-columns.js';
import { newestRow, ofWholeSnapshots } from './same-numbers.js';
import type { StoredSlowOperation } from './stored-slow-operations.js';
import { watchedIndex, type WatchedCluster } from './watched-clusters.js';
import type { Watching } from './watching.js';

/** Waits for a score of the cluster with this deduction. */
export async function scoredFor(
  { until }: Watching,
  uuid: string,
  code: string,
  points: number,
): Promise<ScoreRow> {
  const [row] = await until<ScoreRow>(scoresWith(uuid, code, points));
  return checked(row ?? assert.fail(code));
}

export const slowOperations = (
  { until }: Watching,
  { uuid }: WatchedCluster,
  count: number,
): Promise<readonly StoredSlowOperation[]> =>
  until<StoredSlowOperation>(
    `SELECT * FROM telltale.slow_operations WHERE cluster_uuid = '${uuid}' ORDER BY at, phase DESC`,
    (found) => found.length >= count,
  );

/** All rows of a table, in order. */
export const rowsOf = (
  { query }: Watching,
  { uuid }: WatchedCluster,
  table: string,
  more: string,
): Promise<readonly NodeRow[]> =>
  query<NodeRow>(`SELECT * FROM telltale.${table} WHERE cluster_uuid = '${uuid}' AND ${more} ORDER BY slot`);

/** Selects the index by its current UUID, from the listing of the indices. */
export const ofIndex = ({ listed }: ClusterAnswers): string => `index_uuid = '${String(at(listed, 'uuid'))}'`;

/** The newest row of an index, once one has been collected after this timestamp. */
export async function rowAfter(
  { query, until }: Watching,
  cluster: WatchedCluster,
  table: string,
  index: string,
  timestamp: number,
  which = 'true',
): Promise<StoredRow> {
  const more = `\`index\` = '${index}' AND taken_at > fromUnixTimestamp64Milli(${timestamp}) AND ${which}`;
  const { uuid } = cluster;
  await until(
    `SELECT 1 FROM telltale.${table} WHERE cluster_uuid = '${uuid}' AND ${more} AND ${ofWholeSnapshots(uuid)} LIMIT 1`,
  );
  return newestRow(cluster, query, table, more);
}

/** Resolves once each section has been collected and stored. */
export async function untilCollected({ until }: Watching, { uuid }: WatchedCluster): Promise<void> {
  const rows = (table: string, more: string): Promise<readonly unknown[]> =>
    until(
      `SELECT 1 FROM telltale.${table} WHERE cluster_uuid = '${uuid}' AND ${more} AND ${ofWholeSnapshots(uuid)} LIMIT 1`,
    );
  await rows('cluster_nodes', 'version IS NOT NULL');
  await rows('cluster_indices', `\`index\` = '${watchedIndex}'`);
  await rows('cluster_shards', 'index_uuid IS NOT NULL');
  await rows('cluster_tasks', "kind != 'pending'");
  for (const section of ['health', 'cluster_stats', 'watermarks', ...Object.keys(countsOf)]) {
    await rows('cluster_overview', `section = '${section}'`);
  }
}
