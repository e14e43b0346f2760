import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { advice } from '../../../processors/cluster-health/rules/advice.js';
import { indexColumns } from '../../../schemas/cluster-rows/index-columns.js';
import { nodeColumns } from '../../../schemas/cluster-rows/node-columns.js';
import { overviewColumns } from '../../../schemas/cluster-rows/overview-columns.js';
import { recoveryColumns } from '../../../schemas/cluster-rows/recovery-columns.js';
import { shardColumns } from '../../../schemas/cluster-rows/shard-columns.js';
import { taskColumns } from '../../../schemas/cluster-rows/task-columns.js';
import { silences } from '../../../schemas/snapshots/silences.js';

const columns: Readonly<Record<string, readonly string[]>> = {
  cluster_overview: overviewColumns,
  cluster_nodes: nodeColumns,
  cluster_indices: indexColumns,
  cluster_shards: shardColumns,
  cluster_tasks: taskColumns,
  cluster_recoveries: recoveryColumns,
};

describe('docs/clusters.md', () => {
  it('explains every deduction and every missing score, with the same advice as the reasons', () => {
    const text = readFileSync('docs/clusters.md', 'utf8');
    const told = [...text.matchAll(/^\| `(\w+)` +\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm)].map(
      ([, code = '', seen, means, todo]) => [code, { seen, means, todo }] as const,
    );
    const of = (known: object): object => Object.fromEntries(told.filter(([code]) => code in known));
    assert.deepEqual(of(advice), advice);
    const reasons = Object.entries(silences).map(([code, { seen, means, todo }]) => [
      code,
      { seen, means, todo },
    ]);
    assert.deepEqual(of(silences), Object.fromEntries(reasons));
  });

  it('names every column of every table, and no other', () => {
    const named = new Map<string, Set<string>>();
    const text = readFileSync('docs/clusters.md', 'utf8');
    for (const [, tables = '', names = ''] of text.matchAll(
      /^\| [^|]+\| (`cluster_\w+`(?:, `cluster_\w+`)*)\s*\| ([^|]*`[^|]+)\|$/gm,
    )) {
      const list = (of: string): string[] => [...of.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name);
      for (const table of list(tables)) {
        named.set(table, new Set([...(named.get(table) ?? []), ...list(names)]));
      }
    }
    for (const [table, of] of Object.entries(columns)) {
      assert.deepEqual([...(named.get(table) ?? [])].toSorted(), [...new Set(of)].toSorted(), table);
    }
  });
});
