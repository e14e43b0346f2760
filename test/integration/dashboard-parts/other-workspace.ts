import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { seededCluster } from '../../../bench/screenshots/seed-cluster.js';
import { runTelltale } from '../../support/roles.js';
import { until } from '../../support/until.js';
import { post, type Stage } from './stage.js';

interface ApiDocument {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly security: readonly object[] } }>>;
}

/** Of the installation, or of no workspace: the same for everyone. */
const ofEverybody: ReadonlySet<string> = new Set([
  '/',
  '/api/v1/pipeline',
  '/api/v1/settings',
  '/api/v1/dead-letters',
  '/api/v1/monitoring/metrics/scorers',
]);
/** Parameters without which a route answers nothing. */
const asked: Readonly<Record<string, string>> = {
  '/api/v1/clusters/{cluster_uuid}/series': 'figure=queries_per_second',
  '/api/v1/clusters/{cluster_uuid}/nodes/series': 'figure=fs_used_ratio',
  '/api/v1/clusters/{cluster_uuid}/indices/series': 'figure=queries_per_second',
  '/api/v1/events/series': 'metric=ferries.late',
  '/api/v1/traces': 'spans=all',
};

/**
 * Whether an item tells of something: a point of a series has only its timestamp where nothing was, and the edges of a
 * scale are numbers.
 */
const says = (item: unknown): boolean =>
  typeof item === 'string' ||
  Object.entries(item ?? {}).some(([name, value]) => name !== 'at' && value !== null && value !== 0);

/** They have a key. */
const notTheirs = (item: unknown): boolean => (item as { workspace?: string }).workspace !== 'others';

/** Every route that reads, of which the document knows: to others it says nothing of the workspace. */
export function nothingToOthers(stage: () => Stage, traceId: string): void {
  it('shows nothing of it to another workspace, by any route that reads', async () => {
    const { pipeline } = stage();
    const made = ['--workspace', 'others', '--name', 'others', '--scopes', 'read,admin,metrics', '--json'];
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
    const accepted = await post(stage(), '/api/v1/monitoring/metrics/text-sentiment/task', {
      prompt: 'Whose is it?',
    });
    const { task_id: task } = (await accepted.json()) as { task_id: string };
    await until('it is scored', async () => (await get(`/api/v1/results/${task}`, pipeline.key))[0] === 200);
    const ids: Readonly<Record<string, string>> = {
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
      const question = asked[path] === undefined ? '' : `?${asked[path]}`;
      const url = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '') + question;
      const [own, said] = await get(url, pipeline.key);
      assert.equal(own, 200, `${url}: ${said}`);
      const [status, told] = await get(url, others);
      if (status === 404) continue;
      assert.equal(status, 200, `${url}: ${told}`);
      for (const [name, value] of Object.entries(JSON.parse(told) as object))
        if (Array.isArray(value) && value.filter(notTheirs).some(says))
          leaks.push(`${url}: ${name}: ${JSON.stringify(value)}`);
      if (said === told) leaks.push(`${url}: the same as to its own`);
    }
    assert.deepEqual(leaks, []);
  });
}
