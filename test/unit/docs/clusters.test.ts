import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { indexColumns } from '../../../schemas/cluster-rows/index-columns.js';
import { nodeColumns } from '../../../schemas/cluster-rows/node-columns.js';
import { overviewColumns } from '../../../schemas/cluster-rows/overview-columns.js';
import { recoveryColumns } from '../../../schemas/cluster-rows/recovery-columns.js';
import { shardColumns } from '../../../schemas/cluster-rows/shard-columns.js';
import { taskColumns } from '../../../schemas/cluster-rows/task-columns.js';

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
