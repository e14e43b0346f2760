import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterRows } from '../../../../schemas/generated/cluster-rows.js';
import {
  headerColumns,
  indexColumns,
  nodeColumns,
  overviewColumns,
  recoveryColumns,
  shardColumns,
  taskColumns,
} from '../../../../schemas/cluster-rows/columns.js';
import { clusterNodesSink, clusterOverviewSink } from '../../../../sinks/clusters/tables.js';

const folder = 'sinks/clusters/migrations';
const migrations = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));

/** The columns that the migration of a table declares, but for those that the loop and the server fill. */
function declared(table: string): string[] {
  const sql = migrations.find((text) => text.includes(`telltale.${table}\n`)) ?? '';
  return [...sql.matchAll(/^ {4}`?([\w.]+)`? [A-Z]/gm)]
    .map(([, name = '']) => name)
    .filter((name) => !name.startsWith('_') && name !== 'inserted_at');
}

const tables: Readonly<Record<string, readonly string[]>> = {
  cluster_overview: [...overviewColumns, 'unavailable'],
  cluster_nodes: nodeColumns,
  cluster_indices: indexColumns,
  cluster_shards: shardColumns,
  cluster_tasks: taskColumns,
  cluster_recoveries: recoveryColumns,
};

const record: ClusterRows = {
  id: 'abc',
  workspace: 'harbour',
  cluster_uuid: 'u1',
  cluster_name: 'books',
  cluster_version: null,
  section: 'nodes',
  slot: 1_700_000_040_000,
  interval_seconds: 60,
  taken_at: 1_700_000_041_250,
  reporter: null,
  part: 1,
  parts: 1,
  partial: false,
  unavailable: [{ field: 'nodes.*.gap', code: 'not_given', reason: 'not given' }],
  rows: JSON.stringify([
    { node_id: 'n1', jvm_started_at: 1_700_000_000_001, heap_used_percent: 40, of_tomorrow: 1 },
    { node_id: 'n2' },
  ]),
};
const at = { topic: 't', partition: 0, offset: 1, key: 'u1', appendedAt: 0 };

describe('the tables of clusters', () => {
  for (const [table, columns] of Object.entries(tables)) {
    it(`have a column for everything that the processor writes: ${table}`, () => {
      assert.deepEqual(declared(table).sort(), [...new Set([...headerColumns, ...columns])].sort());
    });
  }

  it('get a row a thing, with its snapshot, and without what they have no column for', () => {
    const [first, second] = clusterNodesSink.rows({ ...at, value: record }) as Record<string, unknown>[];
    assert.equal(first?.['slot'], '2023-11-14 22:14:00.000000');
    assert.equal(first['jvm_started_at'], '2023-11-14 22:13:20.001000');
    assert.equal(first['heap_used_percent'], 40);
    assert.ok(!('of_tomorrow' in first));
    assert.equal(second?.['node_id'], 'n2');
    assert.ok(!('heap_used_percent' in second));
  });

  it('keep why a field is null beside the snapshot', () => {
    const [row] = clusterOverviewSink.rows({
      ...at,
      value: { ...record, rows: '[{"took_ms":3}]' },
    }) as Record<string, unknown>[];
    assert.deepEqual(row?.['unavailable'], { 'nodes.*.gap': 'not given' });
  });
});
