import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  indexColumns,
  nodeColumns,
  overviewColumns,
  recoveryColumns,
  shardColumns,
  taskColumns,
} from '../../../schemas/cluster-rows/columns.js';

const columns: Readonly<Record<string, readonly string[]>> = {
  cluster_overview: overviewColumns,
  cluster_nodes: nodeColumns,
  cluster_indices: indexColumns,
  cluster_shards: shardColumns,
  cluster_tasks: taskColumns,
  cluster_recoveries: recoveryColumns,
};

describe('docs/clusters.md', () => {
  it('names a column that is there for each item that is collected', () => {
    const rows = [
      ...readFileSync('docs/clusters.md', 'utf8').matchAll(
        /^\| [^|]+\| `(cluster_\w+)`\s*\| ([^|]*`[^|]+)\|$/gm,
      ),
    ];
    assert.ok(rows.length >= 25);
    for (const [, table = '', names = ''] of rows) {
      for (const [, column = ''] of names.matchAll(/`([\w.]+)`/g)) {
        assert.ok(columns[table]?.includes(column), `${table} has no column ${column}`);
      }
    }
  });
});
