import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { seededCluster } from '../../../bench/screenshots/seed-cluster.js';
import { BatchSender } from '../../support/agent-batches.js';
import { healthBody } from '../../support/cluster-snapshots.js';
import { runTelltale } from '../../support/roles.js';
import { until } from '../../support/until.js';
import { post, type Stage } from './stage.js';

interface Read {
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly $ref?: string }[];
}
interface ApiDocument {
  readonly paths: Readonly<Record<string, { readonly get?: Read }>>;
}

/** Routes about the installation, or about no workspace: they answer everyone the same. */
const ofEverybody: ReadonlySet<string> = new Set([
  '/',
  '/api/v1/pipeline',
  '/api/v1/settings',
  '/api/v1/dead-letters',
  '/api/v1/monitoring/metrics/scorers',
]);
/** Parameters that a route requires. */
const asked: Readonly<Record<string, readonly string[]>> = {
  '/api/v1/clusters/{cluster_uuid}/series': ['figure=queries_per_second'],
  '/api/v1/clusters/{cluster_uuid}/nodes/series': ['figure=fs_used_ratio'],
  '/api/v1/clusters/{cluster_uuid}/indices/series': ['figure=queries_per_second'],
  '/api/v1/events/series': ['metric=ferries.late'],
  '/api/v1/traces': ['spans=all'],
};

/** Fields about the request or the installation, not about the workspace. */
const ofTheQuestion: ReadonlySet<string> = new Set([
  ...['at', 'from', 'to', 'step_seconds', 'score', 'server_version'],
]);
/** Their own key is no leak, and the edges of a scale are the same for everyone. */
const ofEveryAnswer = (name: string, value: unknown): boolean =>
  ofTheQuestion.has(name) ||
  name.endsWith('edges_ms') ||
  (value as { workspace?: string } | null)?.workspace === 'others';

/** The fields of an answer that disclose data, as `path: value`. */
function told(value: unknown, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null)
    return [null, 0, false, ''].includes(value as null) ? [] : [`${path}: ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([name, one]) =>
    ofEveryAnswer(name, one) ? [] : told(one, `${path}.${name}`),
  );
}

/** A cluster that only the other workspace has. It also sends items for the id that both workspaces use. */
const theirCluster = 'Ot2vQ1aBS3yT9d0wZr7p4g';

const theirItems = (cluster: string, slot: number): readonly object[] => {
  const item = (section: string, body: object): object => ({
    ...{ cluster_uuid: cluster, cluster_name: 'theirs', cluster_version: '8.14.1', section, slot },
    ...{ interval_seconds: 60, collection: 'others', reporter: 'theirs', taken_at: slot + 1_000 },
    ...{ took_ms: 12, part: 1, parts: 1, partial: false, unavailable: [], body },
  });
  const node = { node_id: 'o1', name: 'theirs', roles: ['data'], incarnation: 'o1:1', measured_at: slot };
  const index = {
    index: 'theirs',
    uuid: 'theirs',
    state: 'open',
    health: 'green',
    primaries: 1,
    replicas: 0,
  };
  return [
    item('nodes', {
      ...{ nodes_total: 1, nodes_failed: 0, nodes_cut: 0 },
      nodes: [{ ...node, is_master: true, uptime_ms: 60_000, jvm_started_at: slot, operations: {} }],
    }),
    item('indices', { indices_total: 1, indices_with_operations: 1, indices: [index] }),
    item('health', healthBody({ status: 'green', nodes: 1, data_nodes: 1, master_node: 'theirs' })),
  ];
};

const questionOf = ({ paths }: ApiDocument, path: string, slot: number): string => {
  const names = (paths[path]?.get?.parameters ?? []).map(({ $ref = '' }) => $ref.split('/').at(-1));
  const day = 86_400_000;
  const range = { from: new Date(slot - day).toISOString(), to: new Date(slot + day / 24).toISOString() };
  const isOfRange = names.includes('RangeFrom');
  return `?${[...(isOfRange ? [new URLSearchParams(range).toString()] : []), ...(asked[path] ?? [])].join('&')}`;
};

/** No documented route for reading discloses anything of the workspace to another. */
export function nothingToOthers(stage: () => Stage, traceId: string): void {
  it('shows nothing of a workspace to another one, on any route that reads', async () => {
    const { pipeline } = stage();
    const made = [
      '--workspace',
      'others',
      '--name',
      'others',
      '--scopes',
      'read,admin,metrics,agent',
      '--json',
    ];
    const { key: others } = JSON.parse(
      await runTelltale(['keys', 'create', ...made], pipeline.environment),
    ) as { key: string };
    const get = async (path: string, key: string): Promise<readonly [number, string]> => {
      const answer = await fetch(`${pipeline.edge.url}${path}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      return [answer.status, await answer.text()];
    };
    await until('the key is known', async () => (await get('/api/v1/results', others))[0] === 200);
    const slot = Math.floor(Date.now() / 60_000) * 60_000 - 60_000;
    const sender = new BatchSender(pipeline.edge.url, others);
    for (const cluster of [seededCluster, theirCluster])
      await sender.send('snapshots', theirItems(cluster, slot));
    await until('their clusters are scored', async () => {
      const [row] = await pipeline.query<{ clusters: number }>(
        "SELECT toFloat64(uniq(cluster_uuid)) AS clusters FROM telltale.cluster_health WHERE workspace = 'others'",
      );
      return row?.clusters === 2;
    });
    const accepted = await post(stage(), '/api/v1/monitoring/metrics/text-sentiment/task', {
      prompt: 'Whose is it?',
    });
    const { task_id: task } = (await accepted.json()) as { task_id: string };
    await until('it is scored', async () => (await get(`/api/v1/results/${task}`, pipeline.key))[0] === 200);
    const slow = (await get(`/api/v1/clusters/${seededCluster}/slow-operations`, pipeline.key))[1];
    const [entry] = (JSON.parse(slow) as { slow_operations: readonly { id: string }[] }).slow_operations;
    const ids: Readonly<Record<string, string>> = {
      operation_id: entry?.id ?? '',
      ...{ cluster_uuid: seededCluster, task_id: task, trace_id: traceId, id: traceId },
      key_id: /^tt_([^_]+)_/.exec(pipeline.key)?.[1] ?? '',
    };
    const document = JSON.parse(readFileSync('schemas/openapi/edge.json', 'utf8')) as ApiDocument;
    const paths = Object.entries(document.paths)
      .filter(
        ([path, { get: operation }]) => (operation?.security ?? []).length > 0 && !ofEverybody.has(path),
      )
      .map(([path]) => path)
      .filter((path) => path.startsWith('/api/'));
    assert.ok(paths.length > 30, paths.join(' '));
    const leaks: string[] = [];
    for (const path of paths) {
      const url =
        path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '') + questionOf(document, path, slot);
      const [own, said] = await get(url, pipeline.key);
      assert.equal(own, 200, `${url}: ${said}`);
      const [status, answer] = await get(url, others);
      if (path.includes('{cluster_uuid}')) {
        const [expected, alone] = await get(url.replace(seededCluster, theirCluster), others);
        assert.equal(status, expected, url);
        if (status === 200) assert.equal(answer.replaceAll(seededCluster, theirCluster), alone, url);
      } else if (path === '/api/v1/clusters') {
        const { clusters } = JSON.parse(answer) as { clusters: readonly { cluster_uuid: string }[] };
        const [one, other] = clusters.map((cluster) => ({ ...cluster, cluster_uuid: '' }));
        assert.equal(clusters.length, 2);
        assert.deepEqual(one, other);
      } else if (status !== 404) {
        assert.equal(status, 200, `${url}: ${answer}`);
        leaks.push(...told(JSON.parse(answer)).map((what) => `${url}${what}`));
        if (said === answer) leaks.push(`${url}: the same as to its own`);
      }
    }
    assert.deepEqual(leaks, []);
  });
}
