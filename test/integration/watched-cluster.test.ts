import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { allowedCall } from '../../agent/integration/client/allow-list.js';
import { edgeDocument } from '../../schemas/openapi/edge-document.js';
import type { ElasticsearchNode } from '../../stack/elasticsearch/elasticsearch.js';
import { createDocumentChecker } from '../contract/document-checker.js';
import {
  loseAPrimary,
  loseQuorum,
  provokeRejections,
  requestsOfOthers,
  startVoter,
} from '../support/broken-clusters.js';
import { checked, ofName, scoresWith, type NodeRow, type ScoreRow } from '../support/cluster-rows.js';
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
  let killedAt = 0;
  let voters: readonly ElasticsearchNode[] = [];
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
  /** A score of the cluster with this deduction. */
  const scoredFor = async (uuid: string, code: string, points: number): Promise<ScoreRow> => {
    const [row] = await until<ScoreRow>(scoresWith(uuid, code, points), isThere);
    return checked(row ?? assert.fail(code));
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
      await provokeRejections(cluster);
    }
    answered = await answersOf(seven());
    await agent.start();
  });

  after(async () => {
    await agent.stop();
    await Promise.all([...voters, ...clusters.map(({ node }) => node)].map((node) => node.stop()));
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
    for (const { uuid } of clusters) {
      const [scored] = await until<ScoreRow>(
        `SELECT * FROM telltale.cluster_health WHERE cluster_uuid = '${uuid}' AND status IN ('green', 'yellow') ORDER BY at DESC LIMIT 1`,
        isThere,
      );
      assert.ok((scored?.score ?? 0) > 50, JSON.stringify(scored));
    }
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

  it('are said to be out of reach while their nodes are dead', async () => {
    for (const cluster of clusters) await loseAPrimary(cluster);
    await Promise.all(clusters.map(({ node }) => node.kill9()));
    killedAt = Date.now();
    const states = async (): Promise<readonly string[]> => {
      const { parts } = (await (await fetch(`${agent.url}/status`)).json()) as {
        parts: { collectors: { clusters: readonly { state: string }[] } };
      };
      return parts.collectors.clusters.map(({ state }) => state);
    };
    while ((await states()).some((state) => state !== 'unreachable')) await sleep(500);
    const tested = await fetch(`${agent.url}/integrations/elasticsearch/test`, { method: 'POST' });
    const kinds = ((await tested.json()) as readonly { kind: string }[]).map(({ kind }) => kind);
    assert.deepEqual(
      kinds,
      clusters.map(() => 'connection_refused'),
    );
  });

  it('are red once they are back with a primary that they lost', async () => {
    await Promise.all(clusters.map(({ node }) => node.start()));
    for (const cluster of clusters) await provokeRejections(cluster);
    voters = await Promise.all(clusters.map(startVoter));
    for (const { uuid, ask } of clusters) {
      const [row] = await until<HealthRow>(
        `SELECT unassigned_shards, unassigned_primaries FROM telltale.cluster_overview
         WHERE cluster_uuid = '${uuid}' AND section = 'health' AND status = 'red'
           AND taken_at > fromUnixTimestamp64Milli(${killedAt}) ORDER BY slot DESC LIMIT 1`,
        // What a node that has just started still recovers is no longer unassigned a moment later.
        ([found]) => found?.unassigned_primaries === 1,
      );
      const health = (await ask('GET', '/_cluster/health')) as { status: string; unassigned_shards: number };
      assert.equal(health.status, 'red');
      assert.equal(row?.unassigned_shards, health.unassigned_shards);
      const scored = await scoredFor(uuid, 'primaries_unassigned', 50);
      assert.ok((scored.score ?? 100) <= 50);
    }
  });

  it('have a gap where they restarted, which is no trip and no rejection', async () => {
    for (const { uuid } of clusters) {
      const found = await until<NodeRow>(
        `SELECT * FROM telltale.cluster_nodes WHERE cluster_uuid = '${uuid}' AND name = 'n1' ORDER BY slot`,
        (seen) => seen.some(({ restarted }) => restarted === true),
      );
      const place = found.findIndex(({ restarted }) => restarted === true);
      const [before, after] = [found[place - 1], found[place]];
      assert.ok(before && after);
      assert.ok(ofName(before['thread_pools.pool'], before['thread_pools.rejected'], 'analyze') > 0);
      assert.equal(after['gap'], 'restarted');
      const changes = [...after['thread_pools.rejections'], ...after['circuit_breakers.trips']];
      for (const change of changes) assert.equal(change, null);
      const rates = Object.entries(after).filter(([name]) => /^[^.]*(_per_second|_latency_ms)$/.test(name));
      assert.ok(rates.length > 10);
      for (const [name, rate] of rates) assert.equal(rate, null, name);
      const negative = found
        .flatMap((row) => Object.entries(row))
        .filter(([name, value]) => !name.startsWith('_') && Number(value) < 0);
      assert.deepEqual(negative, []);
      const scored = await scoredFor(uuid, 'node_restarted', 2);
      for (const code of ['thread_pool_rejections', 'circuit_breaker_tripped']) {
        assert.ok(!scored['deductions.code'].includes(code), code);
      }
    }
  });

  it('have no master once the node with the vote is dead: that is their score, and nothing is invented beside it', async () => {
    for (const [place, cluster] of clusters.entries()) {
      await loseQuorum(cluster, voters[place] ?? assert.fail('each has one'));
    }
    for (const { uuid, node } of clusters) {
      const [row] = await until<Readonly<Record<string, unknown>>>(
        `SELECT * FROM telltale.cluster_overview
         WHERE cluster_uuid = '${uuid}' AND section = 'health' AND no_master ORDER BY slot LIMIT 1`,
        isThere,
      );
      const said = await node.ask('GET', '/_cluster/health?timeout=1s&master_timeout=1s');
      assert.equal(said.status, 503);
      const unmeasured = ['status', 'nodes', 'active_shards', 'unassigned_shards', 'unassigned_primaries'];
      assert.deepEqual(
        unmeasured.map((name) => row?.[name]),
        unmeasured.map(() => null),
      );
      const scored = await scoredFor(uuid, 'no_master', 60);
      assert.ok((scored.score ?? 100) <= 40);
    }
  });

  it('were asked nothing that is not on the list, by the count of the agent and by their own', async () => {
    const metrics = await (await fetch(`${agent.url}/metrics`)).text();
    const counted = new Map<string, number>();
    const lines = /^telltale_agent_search_calls_total\{call="([^"]+)",outcome="\d{3}"[^}]*\} (\d+)$/gm;
    for (const [, call = '', count] of metrics.matchAll(lines)) {
      counted.set(call, (counted.get(call) ?? 0) + Number(count));
    }
    const asked = new Map<string, number>();
    for (const { method, target } of clusters.flatMap(requestsOfOthers)) {
      const call = allowedCall(method, target) ?? assert.fail(`${method} ${target} is not on the list`);
      asked.set(call, (asked.get(call) ?? 0) + 1);
      assert.match(call, /^GET \/|^POST \/_cluster\/allocation\/explain$/);
    }
    assert.ok(asked.has('GET /_cluster/health') && asked.has('POST /_cluster/allocation/explain'));
    assert.ok(counted.size > 5);
    // The agent forgets its counts when it is killed; the nodes forget nothing.
    for (const [call, count] of counted) assert.ok((asked.get(call) ?? 0) >= count, call);
  });
});

const isThere = (found: readonly unknown[]): boolean => found.length > 0;

interface SlowOperationPage {
  readonly thresholds: object;
  readonly notice: string | null;
  readonly slow_operations: readonly StoredSlowOperation[];
  readonly next: string | null;
}
