import { randomBytes } from 'node:crypto';
import { at, partsOf } from './cluster-answers.js';
import { until } from './until.js';
import type { WatchedCluster } from './watched-clusters.js';

type Ask = WatchedCluster['ask'];

/** Lines for `_bulk`, of documents that don't compress. */
const documents = (count: number, bytes: number): string =>
  Array.from({ length: count }, (_, number) => [
    JSON.stringify({ index: { _id: `${number}` } }),
    JSON.stringify({ number, text: randomBytes(bytes).toString('base64') }),
  ])
    .flat()
    .map((line) => `${line}\n`)
    .join('');

async function fill(ask: Ask, index: string, lines: string, settings: object = {}): Promise<void> {
  await ask('PUT', `/${index}`, { settings: { number_of_shards: 1, number_of_replicas: 0, ...settings } });
  if (lines !== '') await ask('POST', `/${index}/_bulk?refresh=true`, lines);
}

/** So slow that a task waits longer than any test runs after its first two documents. */
const throttle = 'wait_for_completion=false&requests_per_second=0.001';

/** Starts tasks of each kind, one of them in slices. They make no progress until their node ends. */
export async function startTasks({ ask }: WatchedCluster): Promise<void> {
  const lines = documents(6, 10);
  for (const index of ['read', 'changed', 'emptied']) await fill(ask, index, lines);
  await fill(ask, 'copied', '');
  const all = { query: { match_all: {} } };
  await ask('POST', `/_reindex?${throttle}&slices=2`, {
    source: { index: 'read', size: 2 },
    dest: { index: 'copied' },
  });
  await ask('POST', `/changed/_update_by_query?${throttle}&scroll_size=2`, all);
  await ask('POST', `/emptied/_delete_by_query?${throttle}&scroll_size=2`, all);
  await until('four tasks wait, and the one that two of them are slices of', async () => {
    const nodes = at(await ask('GET', '/_tasks?actions=*reindex,*byquery&detailed=true'), 'nodes');
    const tasks = Object.values(partsOf(nodes)).flatMap((node) => Object.values(partsOf(at(node, 'tasks'))));
    const waiting = tasks.filter((task) => Number(at(task, 'status', 'throttled_until_millis')) > 0);
    return tasks.length === 5 && waiting.length === 4;
  });
}

/** The index that moves from the first node to the second. */
export const movingIndex = 'moving';

/** Disables automatic moves, and keeps all shards off the second node. */
export async function keepInPlace(ask: Ask): Promise<void> {
  await ask('PUT', '/_cluster/settings', {
    persistent: {
      'cluster.routing.rebalance.enable': 'none',
      'cluster.routing.allocation.exclude._name': 'n2',
    },
  });
}

/** Moves a shard to the second node, so slowly that it is relocating until one of them ends. */
export async function startMoving({ ask }: WatchedCluster): Promise<void> {
  await ask('DELETE', `/${movingIndex}?ignore_unavailable=true`); // left by an earlier try
  await fill(ask, movingIndex, documents(20, 20_000), { 'index.routing.allocation.require._name': 'n1' });
  await ask('POST', `/${movingIndex}/_flush`);
  await ask('GET', `/${movingIndex}/_search`);
  await ask('PUT', '/_cluster/settings', {
    persistent: {
      'cluster.routing.allocation.exclude._name': null,
      // The disk of this machine might be full.
      'cluster.routing.allocation.disk.threshold_enabled': false,
      'indices.recovery.max_bytes_per_sec': '1kb',
    },
  });
  await ask('PUT', `/${movingIndex}/_settings`, { 'index.routing.allocation.require._name': 'n2' });
  await until('its files are on their way', async () => {
    const shard = at(
      await ask('GET', `/${movingIndex}/_recovery?active_only=true`),
      movingIndex,
      'shards',
      '0',
    );
    return at(shard, 'stage') === 'INDEX' && Number(at(shard, 'index', 'size', 'total_in_bytes')) > 0;
  });
}
