import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { threadPoolFields } from '../../schemas/cluster-rows/node-columns.js';
import { readFileSync } from 'node:fs';
import { connectClickHouse, type ClickHouse } from '../../runtime/clickhouse/client.js';
import { migrateTables } from '../support/applied.js';
import { askAsAnalyst, type Row } from '../support/analytics-questions.js';
import { queriesOf } from '../support/grafana-dashboards.js';
import { replaceByEmptyTable } from '../support/own-table.js';
import { theStack, type TestStack } from '../support/stack.js';

const uuid = 'drawn-by-the-dashboard';
const tables = ['cluster_overview', 'cluster_indices', 'cluster_shards', 'cluster_nodes', 'cluster_health'];
const lastMinute = Math.floor(Date.now() / 60_000) - 1;
const minute = (ago: number): string =>
  new Date((lastMinute - ago) * 60_000).toISOString().slice(0, 19).replace('T', ' ');

const of = (slot: string, row: object): object => ({
  workspace: 'drawn',
  cluster_uuid: uuid,
  cluster_name: 'drawn',
  slot,
  ...row,
});
const whole = (slot: string, section: string): object => of(slot, { section, part: 1, parts: 1 });
const index = (slot: string, name: string, bytes: number | null): object =>
  of(slot, { index: name, store_bytes: bytes });
const shard = (slot: string, name: string, state: string): object =>
  of(slot, { index: name, shard: 0, primary: false, state, unassigned_reason: 'NODE_LEFT' });
const node = (slot: string, rejections: readonly (number | null)[], gap: string | null = null): object =>
  of(slot, {
    node_id: 'n1',
    name: 'drawn-1',
    gap,
    ...Object.fromEntries(
      threadPoolFields.map((name) => [`thread_pools.${name}`, rejections.map(() => null)]),
    ),
    'thread_pools.pool': rejections.map((_, at) => `pool${at}`),
    'thread_pools.rejections': rejections,
  });
const noMaster = Object.fromEntries(
  Object.entries({
    code: 'no_master',
    category: 'availability',
    points: 60,
    points_alone: 60,
    reason: 'No master.',
  }).map(([name, value]) => [`deductions.${name}`, [value]]),
);

describe('rows of clusters', () => {
  let stack: TestStack;
  let clickhouse: ClickHouse;
  const putBack: (() => Promise<void>)[] = [];

  const insert = (table: string, rows: readonly object[]): Promise<void> =>
    clickhouse.insert(
      `telltale.${table}`,
      Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
      randomUUID(),
    );

  before(async () => {
    stack = await theStack();
    await migrateTables(stack);
    clickhouse = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.writer });
    for (const table of tables) putBack.push(await replaceByEmptyTable(clickhouse, `telltale.${table}`));
    const [now, earlier] = [minute(0), minute(5)];
    await insert('cluster_overview', [
      ...['indices', 'shards'].flatMap((section) => [whole(now, section), whole(earlier, section)]),
      // Half of a snapshot: the other part has not arrived.
      of(minute(-1), { section: 'indices', part: 1, parts: 2 }),
    ]);
    await insert('cluster_indices', [
      index(earlier, 'deleted', 900),
      ...[index(now, 'small', 10), index(now, 'large', 300), index(now, 'unsized', null)],
      index(minute(-1), 'half', 1),
    ]);
    await insert('cluster_shards', [
      shard(earlier, 'mended', 'UNASSIGNED'),
      shard(now, 'mended', 'STARTED'),
      ...[shard(now, 'lost', 'UNASSIGNED'), shard(now, 'lost', 'UNASSIGNED')],
    ]);
    await insert('cluster_nodes', [
      node(minute(4), [null, null], 'restarted'),
      node(minute(3), [2, 1]),
      node(minute(2), []),
      node(minute(1), [1, null]),
      node(now, [0, 0]),
      { ...node(now, [null, null], 'restarted'), node_id: 'n2', name: 'drawn-2' },
    ]);
    await insert('cluster_health', [
      { ...of(now, {}), slot: undefined, at: `${now}.000`, score: 60, ...noMaster },
      { ...of(now, {}), slot: undefined, at: `${now}.500`, score: 40, ...noMaster },
      { ...of(now, {}), slot: undefined, at: `${earlier}.000`, score: null },
    ]);
  });

  after(async () => {
    for (const back of putBack) await back();
    await clickhouse.close();
  });

  async function drawn(panel: string): Promise<readonly Row[]> {
    const all = queriesOf('clusters.json', { cluster: uuid });
    const { sql = '' } = all.find(({ place }) => place === `Search clusters: ${panel}`) ?? {};
    return askAsAnalyst(stack, sql);
  }

  async function documented(question: string): Promise<readonly Row[]> {
    const [, after = ''] = readFileSync('docs/clusters.md', 'utf8').split(`### ${question}\n`);
    return askAsAnalyst(stack, /```sql\n([\s\S]*?)```/.exec(after)?.[1] ?? '');
  }

  it('list the largest indices of the last whole snapshot, and none that was deleted since', async () => {
    assert.deepEqual(
      (await drawn('Largest indices')).map((row) => row['index']),
      ['large', 'small', 'unsized'],
    );
  });

  it('list each shard that is unassigned in the last snapshot, and none that was assigned since', async () => {
    assert.deepEqual(
      (await drawn('Unassigned shards')).map((row) => row['index']),
      ['lost', 'lost'],
    );
  });

  it('draw rejections only where they were counted: a gap, never an unmeasured zero', async () => {
    assert.deepEqual(
      (await drawn('Rejections'))
        .filter((row) => row['node'] === 'drawn-1')
        .map(({ rejections }) => rejections),
      [null, 3, null, null, 0],
    );
  });

  it('list nodes under pressure with the rejections that were counted, or null if none were counted', async () => {
    const rows = await documented('Which nodes were under pressure?');
    assert.deepEqual(
      rows.map(({ name, rejections, gaps }) => [name, rejections, gaps]),
      [
        ['drawn-1', 4, 1],
        ['drawn-2', null, 1],
      ],
    );
  });

  it('say for how many minutes points were lost, however many scores a minute had', async () => {
    const rows = await documented('Which clusters lost points, and for what?');
    assert.deepEqual(
      rows.map(({ code, most, minutes }) => [code, most, minutes]),
      [['no_master', 60, 1]],
    );
  });

  it('draw the last score of each minute, and a gap if there is none', async () => {
    assert.deepEqual(
      (await drawn('Health score')).map(({ time, score }) => [time, score]),
      [
        [minute(5), null],
        [minute(0), 40],
      ],
    );
  });
});
