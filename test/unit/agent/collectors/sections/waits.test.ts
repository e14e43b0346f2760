import assert from 'node:assert/strict';
import type { SearchClient } from '../../../../../agent/collectors/client-port.js';
import { newClusterMemory } from '../../../../../agent/collectors/cluster-memory.js';
import { collectSection } from '../../../../../agent/collectors/collect.js';
import { SlowLogThresholdWatch } from '../../../../../agent/collectors/slow-log-thresholds.js';
import { allowedCall, allowedGets } from '../../../../../agent/integration/client/allow-list.js';
import { readHotThreads } from '../../../../../agent/integration/connection-test/hot-threads.js';
import { sections } from '../../../../../agent/collectors/sections/sections.js';
import { identityPath } from '../../../../../agent/collectors/identity.js';
import {
  defaultCollectorSettings,
  type CollectorSettings,
} from '../../../../../agent/collectors/settings.js';

interface Stub {
  readonly client: SearchClient;
  readonly asked: URL[];
}

const lost = { status: 'red', number_of_shards: 1, active_primary_shards: 0, initializing_shards: 1 };

/** A cluster of two nodes and one red index. */
function stubCluster(): Stub {
  const asked: URL[] = [];
  const identity = { cluster_name: 'books', version: { number: '8.14.1' }, tagline: 'You Know, for Search' };
  const answers: readonly (readonly [RegExp, unknown])[] = [
    [/^\/$/, identity],
    [/^\/_cluster\/health/, { status: 'red', indices: { lost } }],
    [/^\/_nodes/, { _nodes: { total: 2, successful: 2, failed: 0 }, nodes: { n1: {}, n2: {} } }],
    [/^\/_cat\/indices/, [{ index: 'lost', uuid: 'u', status: 'open' }]],
  ];
  const get = (path: string) => {
    asked.push(new URL(path, 'http://es'));
    const body = answers.find(([pattern]) => pattern.test(path))?.[1] ?? {};
    return Promise.resolve({ status: 200, body, bytes: 2 });
  };
  return { client: { get, explain: () => Promise.reject(new Error('never asked')) }, asked };
}

/** Collects every section once. */
async function collectAll({ client }: Stub, settings: CollectorSettings): Promise<void> {
  const memory = newClusterMemory();
  for (const section of sections) {
    const outcome = await collectSection(section, {
      client,
      cluster: { uuid: 'u1', name: 'books', version: '8.14.1', major: 8 },
      settings,
      memory,
      signal: new AbortController().signal,
      now: () => 0,
    });
    assert.ok(outcome.ok, outcome.ok ? '' : `${section.name}: ${outcome.failure.reason}`);
  }
}

const asksEveryNode = /^\/(?:_nodes\b.*|_cluster\/stats|_tasks)$/;
const asksTheMaster = /^\/(?:_cat\/(?!shards).*|_cat\/shards|_cluster\/(?:health.*|pending_tasks|settings))$/;

/** Elasticsearch has no timeout parameter for these. */
const waitsForEver = /^\/(?:_recovery|_data_stream\/_stats|lost\/_stats\/.*)$/;

describe('the waits that a section asks of the cluster', () => {
  for (const requestTimeoutMs of [15_000, 3_000, 100]) {
    it(`end before a call that may take ${requestTimeoutMs} ms does`, async () => {
      const cluster = stubCluster();
      await collectAll(cluster, { ...defaultCollectorSettings, requestTimeoutMs });
      const { asked } = cluster;
      const waits = (pattern: RegExp, parameter: string): readonly number[] =>
        asked
          .filter(({ pathname }) => pattern.test(pathname))
          .map(({ searchParams }) => Number(/^(\d+)ms$/.exec(searchParams.get(parameter) ?? '')?.[1]));
      const forNodes = waits(asksEveryNode, 'timeout');
      const forMaster = waits(asksTheMaster, 'master_timeout');
      assert.ok(forNodes.length >= 6 && forMaster.length >= 7, `${forNodes.length} and ${forMaster.length}`);
      for (const wait of [...forNodes, ...forMaster]) {
        assert.ok(wait > 0 && wait <= 0.6 * requestTimeoutMs, `${wait} ms`);
      }
      const others = asked.filter(
        ({ pathname }) => ![asksEveryNode, asksTheMaster, waitsForEver].some((kind) => kind.test(pathname)),
      );
      assert.deepEqual(others, []);
    });
  }
});

describe('the requests of a section', () => {
  it('name the fields or columns that they need', async () => {
    const cluster = stubCluster();
    await collectAll(cluster, defaultCollectorSettings);
    const unnamed = cluster.asked.filter(
      ({ pathname, searchParams }) => !searchParams.has(pathname.startsWith('/_cat/') ? 'h' : 'filter_path'),
    );
    assert.deepEqual(
      unnamed.map(({ pathname }) => pathname),
      [],
    );
  });
});

describe('the calls that may be made to a cluster', () => {
  it('are exactly those that the agent makes', async () => {
    const cluster = stubCluster();
    await collectAll(cluster, defaultCollectorSettings);
    await collectAll(cluster, { ...defaultCollectorSettings, maxNodes: 1 });
    await cluster.client.get(identityPath);
    await new SlowLogThresholdWatch({ requestTimeoutMs: 15_000 }).current(
      cluster.client,
      0,
      new AbortController().signal,
    );
    const integration = { url: 'http://es', authentication: { kind: 'none' }, requestTimeoutMs: 1 } as const;
    await readHotThreads({ integration, client: cluster.client, diagnostic: undefined });
    const made = new Set(cluster.asked.map(({ pathname, search }) => allowedCall('GET', pathname + search)));
    assert.deepEqual([...made].sort(), allowedGets.map((path) => `GET ${path}`).sort());
  });
});
