import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterRows } from '../../../../schemas/generated/cluster-rows.js';
import { headerColumns } from '../../../../schemas/cluster-rows/header-columns.js';
import { indexColumns } from '../../../../schemas/cluster-rows/index-columns.js';
import { nodeColumns } from '../../../../schemas/cluster-rows/node-columns.js';
import { overviewColumns } from '../../../../schemas/cluster-rows/overview-columns.js';
import { recoveryColumns } from '../../../../schemas/cluster-rows/recovery-columns.js';
import { shardColumns } from '../../../../schemas/cluster-rows/shard-columns.js';
import { taskColumns } from '../../../../schemas/cluster-rows/task-columns.js';
import { kindOf, type ColumnKind } from '../../../../schemas/cluster-rows/kinds.js';
import { clusterNodesSink, clusterOverviewSink } from '../../../../sinks/clusters/tables.js';

const folder = 'sinks/clusters/migrations';
const migrations = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));

/** The columns with their types as the migrations of a table declare them, but for those that the loop and the server fill. */
function declared(table: string): ReadonlyMap<string, string> {
  const statements = migrations
    .flatMap((text) => text.split(/;$/m))
    .filter((text) =>
      new RegExp(`(?:CREATE TABLE IF NOT EXISTS|ALTER TABLE) telltale\\.${table}$`, 'm').test(text),
    );
  const columns = statements.flatMap((sql) => [
    ...sql.matchAll(
      /^ {4}(?:ADD COLUMN IF NOT EXISTS )?`?([\w.]+)`? ([A-Z].*?)(?: DEFAULT .*?)?(?: CODEC\(.*?\))?(?: AFTER [\w.]+)?,?$/gm,
    ),
  ]);
  return new Map(
    columns
      .map(([, name = '', type = '']) => [name, type] as const)
      .filter(([name]) => !name.startsWith('_') && name !== 'inserted_at'),
  );
}

/** What a column of each kind may be declared as. */
const forms: Readonly<Record<ColumnKind, RegExp>> = {
  number: /^Nullable\(Float64\)$/,
  text: /^(?:LowCardinality\()?Nullable\(String\)\)?$/,
  flag: /^Nullable\(Bool\)$/,
  moment: /^Nullable\(DateTime64\(3, 'UTC'\)\)$/,
  texts: /^Array\(LowCardinality\(String\)\)$/,
  map: /^Map\(LowCardinality\(String\), (?:String|Float64)\)$/,
};

/** What every row has, as the tables are ordered by it; anything else that is not measured must be null, not 0. */
const keys: Readonly<Record<string, string>> = {
  node_id: 'LowCardinality(String)',
  index: 'LowCardinality(String)',
  shard: 'UInt32',
  primary: 'Bool',
  kind: 'LowCardinality(String)',
};

/** A nested column is an array of what its field would be alone. */
const typeAlone = (column: string, type: string): string =>
  column.includes('.') ? (/^Array\((.*)\)$/.exec(type)?.[1] ?? `no array: ${type}`) : type;

const tables: Readonly<Record<string, readonly string[]>> = {
  cluster_overview: overviewColumns,
  cluster_nodes: nodeColumns,
  cluster_indices: indexColumns,
  cluster_shards: shardColumns,
  cluster_tasks: taskColumns,
  cluster_recoveries: recoveryColumns,
};

/** Written by its sink, from beside the rows. */
const beside = (table: string): readonly string[] => (table === 'cluster_overview' ? ['unavailable'] : []);

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
      assert.deepEqual(
        [...declared(table).keys()].sort(),
        [...new Set([...headerColumns, ...beside(table), ...columns])].sort(),
      );
    });

    it(`have columns of the kind that is written to them: ${table}`, () => {
      const types = declared(table);
      const wrong = columns.filter((column) => {
        const type = typeAlone(column, types.get(column) ?? 'none');
        return !forms[kindOf(column)].test(type) && !(column in keys && keys[column] === type);
      });
      assert.deepEqual(
        wrong.map((column) => [column, kindOf(column), types.get(column)]),
        [],
      );
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

  it('keep every reason of a field that has several', () => {
    const unavailable = [
      { field: 'explanations', code: 'cut', reason: '40 groups are not explained yet' },
      { field: 'explanations', code: 'failed', reason: '2 groups could not be explained' },
    ];
    const [row] = clusterOverviewSink.rows({
      ...at,
      value: { ...record, unavailable, rows: '[{"took_ms":3}]' },
    }) as Record<string, unknown>[];
    assert.deepEqual(row?.['unavailable'], {
      explanations: '40 groups are not explained yet; 2 groups could not be explained',
    });
  });
});
