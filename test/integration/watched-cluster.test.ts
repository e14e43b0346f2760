import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { edgeDocument } from '../../schemas/openapi/edge-document.js';
import { createDocumentChecker } from '../contract/document-checker.js';
import { startPipeline, type Pipeline } from '../support/pipeline.js';
import { role, type Role } from '../support/roles.js';
import { answersOf, type ClusterAnswers } from '../support/cluster-answers.js';
import { sameEverything, sameNumbers } from '../support/same-numbers.js';
import {
  checkAnswered,
  checkSlowOperations,
  type StoredSlowOperation,
} from '../support/stored-slow-operations.js';
import {
  operateSlowly,
  operateUntilRotated,
  startWatchedClusters,
  watchedIndex,
  type WatchedCluster,
} from '../support/watched-clusters.js';

interface HealthRow {
  readonly unassigned_shards: number;
  readonly unassigned_primaries: number;
}

/** Every section and the slow logs, real servers of every version at hand, the agent as a process: none is a stub. */
describe('search clusters that are watched, from their nodes to ClickHouse', function () {
  this.timeout(20 * 60_000);
  let pipeline: Pipeline;
  let agent: Role;
  let clusters: readonly WatchedCluster[];
  let answered: ClusterAnswers;
  const seven = (): WatchedCluster => clusters[0] ?? assert.fail('7.17 is always there');
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
  const slowOperations = async ({ uuid }: WatchedCluster, count: number) =>
    until<StoredSlowOperation>(
      `SELECT * FROM telltale.slow_operations WHERE cluster_uuid = '${uuid}' ORDER BY at, phase DESC`,
      (found) => found.length >= count,
    );

  before(async () => {
    pipeline = await startPipeline('watched-cluster');
    clusters = await startWatchedClusters();
    const folder = join(pipeline.folder, 'watching-agent');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'integration.json');
    writeFileSync(file, JSON.stringify(clusters.map(({ entry }) => entry)));
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
    for (const cluster of clusters) {
      await operateSlowly(cluster, 1);
      await cluster.ask('POST', `/${watchedIndex}/_flush`);
    }
    answered = await answersOf(seven());
    await agent.start();
  });

  after(async () => {
    await agent.stop();
    await Promise.all(clusters.map(({ node }) => node.stop()));
    await pipeline.stop();
  });

  it('have in ClickHouse the numbers that they answer themselves', async () => {
    for (const cluster of clusters) {
      const { uuid } = cluster;
      for (const table of ['cluster_indices', 'cluster_shards', 'cluster_nodes', 'cluster_health']) {
        await until(`SELECT 1 FROM telltale.${table} WHERE cluster_uuid = '${uuid}' LIMIT 1`, isThere);
      }
      await until(
        `SELECT section FROM telltale.cluster_overview WHERE cluster_uuid = '${uuid}' AND section IN ('watermarks', 'cluster_stats') GROUP BY section`,
        (found) => found.length === 2,
      );
      await sameNumbers(cluster, rows);
    }
    await until(
      `SELECT 1 FROM telltale.cluster_nodes WHERE cluster_uuid = '${seven().uuid}' AND version IS NOT NULL LIMIT 1`,
      isThere,
    );
    await sameEverything(seven(), answered, rows);
    const [scored] = await until<{ score: number | null }>(
      `SELECT score FROM telltale.cluster_health WHERE cluster_uuid = '${seven().uuid}' AND status = 'green' LIMIT 1`,
      isThere,
    );
    assert.ok((scored?.score ?? 0) > 50);
  });

  it('have their slow operations there scrubbed, with every column, and once, whenever the agent is killed and the logs are rotated', async () => {
    for (const cluster of clusters) await slowOperations(cluster, 3);
    await agent.kill9();
    for (const cluster of clusters) await operateUntilRotated(cluster, 2, 5);
    await agent.start();
    await agent.kill9(); // at some line of its first collection
    for (const cluster of clusters) await operateUntilRotated(cluster, 6, 8);
    await agent.start();
    for (const cluster of clusters) {
      // A cluster's entries lie in one partition, in their order: once the last is there, nothing before it is to come.
      await checkSlowOperations(cluster, await slowOperations(cluster, 24), 8);
    }
    assert.deepEqual(await pipeline.audit(), { duplicates: 0, gaps: 0 });
  });

  it('have them read at the edge, page by page, as the document says', async () => {
    const checker = createDocumentChecker(edgeDocument);
    const pattern = '/api/v1/clusters/{cluster_uuid}/slow-operations';
    for (const cluster of clusters) {
      const entries: StoredSlowOperation[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const path = `${pattern.replace('{cluster_uuid}', cluster.uuid)}?limit=7${cursor === '' ? '' : `&cursor=${cursor}`}`;
        const answer = await fetch(`${pipeline.edge.url}${path}`, {
          headers: { authorization: `Bearer ${pipeline.key}` },
        });
        const body = Buffer.from(await answer.arrayBuffer());
        const { status, headers } = answer;
        const problems = checker.problemsOf('get', pattern, {
          status,
          headers: Object.fromEntries(headers),
          body,
        });
        assert.deepEqual(problems, []);
        const page = JSON.parse(body.toString()) as SlowOperationPage;
        assert.deepEqual([page.thresholds, page.notice], [{ search: true, indexing: true }, null]);
        entries.push(...page.slow_operations);
        cursor = page.next;
      }
      checkAnswered(entries, await slowOperations(cluster, 24));
    }
  });

  it('are said to be out of reach while a node is dead, and red once it is back with a primary that it lost', async () => {
    const { node, ask, uuid } = seven();
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
    const kinds = ((await tested.json()) as readonly { kind: string }[]).map(({ kind }) => kind);
    assert.deepEqual(
      kinds,
      clusters.map((_, place) => (place === 0 ? 'connection_refused' : 'ok')),
    );

    await node.start();
    const [row] = await until<HealthRow>(
      `SELECT unassigned_shards, unassigned_primaries FROM telltale.cluster_overview
       WHERE cluster_uuid = '${uuid}' AND section = 'health' AND status = 'red' ORDER BY slot`,
      isThere,
    );
    const health = (await ask('GET', '/_cluster/health')) as { status: string; unassigned_shards: number };
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

  it('were asked nothing that is not on the list', async () => {
    const metrics = await (await fetch(`${agent.url}/metrics`)).text();
    const calls = [...metrics.matchAll(/^telltale_agent_search_calls_total\{call="([^"]+)"/gm)].map(
      ([, call]) => call,
    );
    assert.ok(calls.includes('GET /_cluster/health') && calls.includes('POST /_cluster/allocation/explain'));
    for (const call of calls) assert.match(String(call), /^GET \/|^POST \/_cluster\/allocation\/explain$/);
  });
});

const isThere = (found: readonly unknown[]): boolean => found.length > 0;

interface SlowOperationPage {
  readonly thresholds: object;
  readonly notice: string | null;
  readonly slow_operations: readonly StoredSlowOperation[];
  readonly next: string | null;
}
