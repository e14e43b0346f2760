import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ElasticsearchNode } from '../../stack/elasticsearch/elasticsearch.js';
import { startElasticsearch } from '../support/elasticsearch.js';
import { startPipeline, type Pipeline } from '../support/pipeline.js';
import { role, type Role } from '../support/roles.js';
import { askDirectly } from '../support/search-clients.js';

interface Health {
  readonly status: string;
  readonly number_of_nodes: number;
  readonly active_shards: number;
  readonly unassigned_shards: number;
}

interface HealthRow {
  readonly status: string;
  readonly nodes: number;
  readonly active_shards: number;
  readonly unassigned_shards: number;
  readonly unassigned_primaries: number;
  readonly slot: string;
}

/** Every section, a real server, the agent as a process, Kafka and ClickHouse: nothing between them is a stub. */
describe('a search cluster that is watched, from its node to ClickHouse', function () {
  this.timeout(400_000);
  let pipeline: Pipeline;
  let node: ElasticsearchNode;
  let agent: Role;
  let uuid = '';
  const ask = (method: string, path: string, body?: object | string): Promise<unknown> =>
    askDirectly(node.url, method, path, body);
  const rows = <Row>(sql: string): Promise<readonly Row[]> => pipeline.query<Row>(sql);
  const until = async <Row>(
    sql: string,
    enough: (found: readonly Row[]) => boolean,
  ): Promise<readonly Row[]> => {
    for (;;) {
      const found = await rows<Row>(sql);
      if (enough(found)) return found;
      await sleep(500);
    }
  };
  const healthRows = (where: string): string =>
    `SELECT status, nodes, active_shards, unassigned_shards, unassigned_primaries, toString(slot) AS slot
     FROM telltale.cluster_overview WHERE cluster_uuid = '${uuid}' AND section = 'health' AND ${where} ORDER BY slot`;

  before(async () => {
    pipeline = await startPipeline('watched-cluster');
    node = await startElasticsearch({ version: '7.17.15', clusterName: 'watched' });
    await ask('PUT', '/orders', { settings: { number_of_shards: 2, number_of_replicas: 0 } });
    const lines = Array.from({ length: 50 }, (_, number) => [
      JSON.stringify({ index: { _index: 'orders', _id: `${number}` } }),
      JSON.stringify({ total: number }),
    ]);
    await ask('POST', '/_bulk?refresh=true', `${lines.flat().join('\n')}\n`);
    uuid = ((await ask('GET', '/')) as { cluster_uuid: string }).cluster_uuid;
    const folder = join(pipeline.folder, 'watching-agent');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'integration.json');
    writeFileSync(
      file,
      JSON.stringify({ service: 'elasticsearch', host: '127.0.0.1', port: `${node.port}` }),
    );
    agent = await role({
      command: 'agent',
      portVariable: 'AGENT_PORT',
      environment: {
        AGENT_SERVER_URL: pipeline.edge.url,
        AGENT_API_KEY: pipeline.key,
        AGENT_FOLDER: folder,
        AGENT_INTEGRATION_FILE: file,
      },
      logFile: join(folder, 'agent.log'),
    });
    await agent.start();
  });

  after(async () => {
    await agent.stop();
    await node.stop();
    await pipeline.stop();
  });

  it('has in ClickHouse the numbers that it answers itself', async () => {
    const [row] = await until<HealthRow>(healthRows('true'), (found) => found.length > 0);
    const health = (await ask('GET', '/_cluster/health')) as Health;
    assert.ok(row);
    assert.equal(row.status, health.status);
    assert.equal(row.nodes, health.number_of_nodes);
    assert.equal(row.active_shards, health.active_shards);
    assert.equal(row.unassigned_shards, health.unassigned_shards);

    const [index] = await until<{ docs_count: number; primaries: number; indexing_total: number }>(
      `SELECT docs_count, primaries, indexing_total FROM telltale.cluster_indices
       WHERE cluster_uuid = '${uuid}' AND index = 'orders'`,
      (found) => found.length > 0,
    );
    assert.deepEqual(index, { docs_count: 50, primaries: 2, indexing_total: 50 });
    const shards = await until<{ shard: number; state: string }>(
      `SELECT shard, state FROM telltale.cluster_shards
       WHERE cluster_uuid = '${uuid}' AND index = 'orders' ORDER BY shard`,
      (found) => found.length === 2,
    );
    assert.deepEqual(
      shards.map(({ state }) => state),
      ['STARTED', 'STARTED'],
    );
    const stats = (await ask('GET', '/_nodes/jvm')) as {
      nodes: Record<string, { jvm: { mem: { heap_max_in_bytes: number } } }>;
    };
    const [[nodeId, { jvm }] = ['', { jvm: { mem: { heap_max_in_bytes: 0 } } }]] = Object.entries(
      stats.nodes,
    );
    const nodes = await until<{ node_id: string; heap_max_bytes: number }>(
      `SELECT node_id, heap_max_bytes FROM telltale.cluster_nodes WHERE cluster_uuid = '${uuid}' LIMIT 1`,
      (found) => found.length > 0,
    );
    assert.deepEqual(nodes, [{ node_id: nodeId, heap_max_bytes: jvm.mem.heap_max_in_bytes }]);
    const [scored] = await until<{ score: number | null }>(
      `SELECT score FROM telltale.cluster_health WHERE cluster_uuid = '${uuid}' AND status = 'green' LIMIT 1`,
      (found) => found.length > 0,
    );
    assert.ok((scored?.score ?? 0) > 50);
  });

  it('is said to be out of reach while its node is dead, and red once it is back with a primary that it lost', async () => {
    await ask('PUT', '/lost?wait_for_active_shards=0&timeout=1s', {
      settings: { number_of_replicas: 0, 'index.routing.allocation.require._name': 'no-such-node' },
    });
    await node.kill9();
    const stateOf = async (): Promise<string | undefined> => {
      const { parts } = (await (await fetch(`${agent.url}/status`)).json()) as {
        parts: { collectors: { clusters: readonly { state: string }[] } };
      };
      return parts.collectors.clusters[0]?.state;
    };
    while ((await stateOf()) !== 'unreachable') await sleep(500);
    const tested = await fetch(`${agent.url}/integrations/elasticsearch/test`, { method: 'POST' });
    assert.equal(((await tested.json()) as { kind: string }).kind, 'connection_refused');

    await node.start();
    const [row] = await until<HealthRow>(healthRows("status = 'red'"), (found) => found.length > 0);
    const health = (await ask('GET', '/_cluster/health')) as Health;
    assert.equal(health.status, 'red');
    assert.equal(row?.unassigned_shards, health.unassigned_shards);
    assert.ok(row.unassigned_primaries >= 1);
    const [worse] = await until<{ score: number }>(
      `SELECT min(score) AS score FROM telltale.cluster_health WHERE cluster_uuid = '${uuid}'`,
      ([found]) => found !== undefined && found.score <= 50,
    );
    assert.ok((worse?.score ?? 100) <= 50);
    const below = await rows(`SELECT 1 FROM telltale.cluster_nodes
      WHERE cluster_uuid = '${uuid}' AND (least(coalesce(queries_per_second, 0), coalesce(indexed_per_second, 0)) < 0)`);
    assert.deepEqual(below, []);
  });

  it('was asked nothing that is not on the list', async () => {
    const metrics = await (await fetch(`${agent.url}/metrics`)).text();
    const calls = [...metrics.matchAll(/^telltale_agent_search_calls_total\{call="([^"]+)"/gm)].map(
      ([, call]) => call,
    );
    assert.ok(calls.includes('GET /_cluster/health') && calls.includes('POST /_cluster/allocation/explain'));
    for (const call of calls) assert.match(String(call), /^GET \/|^POST \/_cluster\/allocation\/explain$/);
  });
});
