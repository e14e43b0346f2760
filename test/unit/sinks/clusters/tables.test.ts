import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { headerColumns } from '../../../../schemas/cluster-rows/header-columns.js';
import { indexColumns } from '../../../../schemas/cluster-rows/index-columns.js';
import { nodeColumns } from '../../../../schemas/cluster-rows/node-columns.js';
import { overviewColumns } from '../../../../schemas/cluster-rows/overview-columns.js';
import { recoveryColumns } from '../../../../schemas/cluster-rows/recovery-columns.js';
import { shardColumns } from '../../../../schemas/cluster-rows/shard-columns.js';
import { taskColumns } from '../../../../schemas/cluster-rows/task-columns.js';
import { kindOf, type ColumnKind } from '../../../../schemas/cluster-rows/kinds.js';

const folder = 'sinks/clusters/migrations';
const migrations = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));

/** The columns and types in a table's migrations, except the columns that the loop and the server fill. */
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

/** The allowed declarations of a column of each kind. */
const forms: Readonly<Record<ColumnKind, RegExp>> = {
  number: /^Nullable\(Float64\)$/,
  text: /^(?:LowCardinality\()?Nullable\(String\)\)?$/,
  flag: /^Nullable\(Bool\)$/,
  timestamp: /^Nullable\(DateTime64\(3, 'UTC'\)\)$/,
  texts: /^Array\(LowCardinality\(String\)\)$/,
  map: /^Map\(LowCardinality\(String\), (?:String|Float64)\)$/,
  json: /^(?:LowCardinality\()?Nullable\(String\)\)?$/,
};

/** Sorting keys, which every row has. Any other unmeasured value must be null, not 0. */
const keys: Readonly<Record<string, string>> = {
  node_id: 'LowCardinality(String)',
  index: 'LowCardinality(String)',
  shard: 'UInt32',
  primary: 'Bool',
  kind: 'LowCardinality(String)',
};

/** A nested column is an array of the type that its field would have alone. */
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

/** Written by the table's sink, from data outside the rows. */
const beside = (table: string): readonly string[] => (table === 'cluster_overview' ? ['unavailable'] : []);

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
});
