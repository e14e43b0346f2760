import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { allowedCall } from '../../agent/integration/client/allow-list.js';
import { recoveryColumns } from '../../schemas/cluster-rows/recovery-columns.js';
import { shardColumns } from '../../schemas/cluster-rows/shard-columns.js';
import { edgeDocument } from '../../schemas/openapi/edge-document.js';
import { silences } from '../../schemas/snapshots/silences.js';
import type { ElasticsearchNode } from '../../stack/elasticsearch/elasticsearch.js';
import { createDocumentChecker } from '../contract/document-checker.js';
import {
  loseAPrimary,
  loseQuorum,
  lostIndex,
  provokeRejections,
  requestsOfOthers,
  startVoter,
} from '../support/broken-clusters.js';
import { movingIndex, startMoving } from '../support/busy-clusters.js';
import { answersOf } from '../support/cluster-answers.js';
import { ofName, type NodeRow, type ScoreRow } from '../support/cluster-rows.js';
import { movingShardRules, unassignedShardRules } from '../support/column-rules/shard-rules.js';
import { recoveryRules } from '../support/column-rules/work-rules.js';
import type { Pipeline } from '../support/pipeline.js';
import type { Role } from '../support/roles.js';
import { atScale } from '../support/scale.js';
import { restingRows, sameEverything, sameRow } from '../support/same-numbers.js';
import {
  clusterGrowth,
  indexGrowth,
  indexRates,
  nodeRates,
  recoverySpeed,
  sameAlong,
  sameRates,
} from '../support/same-rates.js';
import {
  checkAnswered,
  checkSlowOperations,
  type StoredSlowOperation,
} from '../support/stored-slow-operations.js';
import { until } from '../support/until.js';
import {
  operateSlowly,
  operateUntilRotated,
  watchedIndex,
  type WatchedCluster,
} from '../support/watched-clusters.js';
import {
  ofIndex,
  rowAfter,
  rowsOf,
  scoredFor,
  slowOperations,
  untilCollected,
} from '../support/watched-rows.js';
import { startWatching, watchesOf, type Watching } from '../support/watching.js';

interface HealthRow {
  readonly unassigned_shards: number;
  readonly unassigned_primaries: number;
}

/**
 * Only tests of no guarantee need a second node per cluster and a minute of waiting. Unit tests also check
 * the score of a cluster without a master, and the columns of a recovery's row.
 */
const isFull = atScale(false, true);
const ofFull = isFull ? it : it.skip;

/** Every section and the slow logs, with real servers of every available version and a real agent. */
describe('search clusters that are watched, from their nodes to ClickHouse', function () {
  this.timeout(20 * 60_000);
  let watching: Watching;
  let pipeline: Pipeline;
  let agent: Role;
  let clusters: readonly WatchedCluster[];
  let killedAt = 0;
  let voters: Promise<readonly ElasticsearchNode[]> | undefined;

  before(async () => {
    watching = await startWatching();
    ({ pipeline, agent, clusters } = watching);
  });

  const listed = async (): Promise<readonly Standing[]> => {
    const answer = await fetch(`${pipeline.edge.url}/api/v1/clusters`, {
      headers: { authorization: `Bearer ${pipeline.key}` },
    });
    return ((await answer.json()) as { readonly clusters: readonly Standing[] }).clusters;
  };

  after(async () => {
    const nodes = (await voters?.catch(() => [])) ?? [];
    await Promise.all(nodes.map((node) => node.stop()));
    await watching.stop();
  });

  it('lead an operator from a key and a file to a green cluster with a score', async () => {
    assert.match(watching.checked, /The server accepts its data\.$/m);
    for (const { node } of clusters) assert.ok(watching.checked.includes(`:${node.port}`), watching.checked);
    await until('each connection test is good', async () => {
      const tested = await fetch(`${agent.url}/integrations/elasticsearch/test`, { method: 'POST' });
      const results = (await tested.json()) as readonly ConnectionTest[];
      assert.equal(results.length, clusters.length);
      return results.every(({ ok, kind, status }) => ok && kind === 'ok' && status === 'green');
    });
    for (const { uuid } of clusters) {
      let standing: Standing | undefined;
      await until('the edge lists it with a score', async () => {
        standing = (await listed()).find(({ cluster_uuid: listedUuid }) => listedUuid === uuid);
        return typeof standing?.score === 'number';
      });
      const { status, stale, reason, score } = standing ?? assert.fail('it is listed');
      assert.deepEqual([status, stale, reason], ['green', false, null]);
      assert.ok((score ?? 0) > 50, JSON.stringify(standing));
    }
  });

  it('have their own answers in every column of every table, and null only where they have no value', async () => {
    for (const cluster of clusters) {
      await untilCollected(watching, cluster);
      const rows = await restingRows(cluster, watching.query);
      sameEverything(cluster, rows, await watching.readingsUntilNow(cluster));
      const [scored] = await watching.until<ScoreRow>(
        `SELECT * FROM telltale.cluster_health WHERE cluster_uuid = '${cluster.uuid}' AND status IN ('green', 'yellow') ORDER BY at DESC LIMIT 1`,
      );
      assert.ok((scored?.score ?? 0) > 50, JSON.stringify(scored));
    }
  });

  it('have their slow operations stored once, scrubbed and complete, through agent kills and log rotations', async () => {
    for (const cluster of clusters) await slowOperations(watching, cluster, 3);
    await agent.kill9();
    for (const cluster of clusters) await operateUntilRotated(cluster, 2, 5);
    await agent.start();
    await agent.kill9(); // somewhere in its first collection
    for (const cluster of clusters) await operateUntilRotated(cluster, 6, 8);
    await agent.start();
    for (const cluster of clusters) {
      // A cluster's entries are in one partition, in order: once the last is stored, so are all before it.
      await checkSlowOperations(cluster, await slowOperations(watching, cluster, 24), 8);
    }
    assert.deepEqual(await pipeline.audit(), { duplicates: 0, gaps: 0, expired: 0 });
  });

  it('have their slow operations read at the edge, page by page, as the document says', async () => {
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
        const { as_of: asOf, ...thresholds } = page.thresholds;
        assert.deepEqual([thresholds, page.notice], [{ search: true, indexing: true }, null]);
        assert.ok(asOf !== null);
        entries.push(...page.slow_operations);
        cursor = page.next;
      }
      checkAnswered(entries, await slowOperations(watching, cluster, 24));
    }
  });

  it('have rates that match the growth of their own counters, and growth that matches their sizes', async () => {
    for (const cluster of clusters) {
      await watching.until(
        `SELECT 1 FROM telltale.cluster_indices WHERE cluster_uuid = '${cluster.uuid}' AND \`index\` = '${watchedIndex}' AND queries_per_second > 0 AND indexed_per_second > 0`,
      );
      const indices = await rowsOf(watching, cluster, 'cluster_indices', `\`index\` = '${watchedIndex}'`);
      sameAlong(indices, 'taken_at', indexRates);
      sameAlong(indices, 'taken_at', indexGrowth, 'growth_gap');
      sameAlong(
        await rowsOf(watching, cluster, 'cluster_overview', "section = 'cluster_stats'"),
        'taken_at',
        clusterGrowth,
        'growth_gap',
      );
    }
  });

  it('have a shard that no node may hold, with their own explanation', async () => {
    for (const cluster of clusters) {
      await loseAPrimary(cluster);
      const before = await answersOf(cluster, lostIndex);
      const row = await rowAfter(
        watching,
        cluster,
        'cluster_shards',
        lostIndex,
        before.answeredAt,
        ofIndex(before),
      );
      const readings = [before, await answersOf(cluster, lostIndex)];
      sameRow(cluster, 'cluster_shards (unassigned)', shardColumns, unassignedShardRules, row, readings);
      assert.equal(row['recommendation_code'], 'filter');
    }
  });

  it('are reported as unreachable while their nodes are dead', async () => {
    await Promise.all(clusters.map(({ node }) => node.kill9()));
    killedAt = Date.now();
    const isReached = async (): Promise<boolean> =>
      (await watchesOf(agent)).some(({ state }) => state !== 'unreachable');
    while (await isReached()) await sleep(500);
    const tested = await fetch(`${agent.url}/integrations/elasticsearch/test`, { method: 'POST' });
    const kinds = ((await tested.json()) as readonly ConnectionTest[]).map(({ kind }) => kind);
    assert.deepEqual(
      kinds,
      clusters.map(() => 'connection_refused'),
    );
    for (const { uuid, node } of clusters) {
      let reason = '';
      await until('the edge says why there is no score', async () => {
        const standing = (await listed()).find(({ cluster_uuid: listedUuid }) => listedUuid === uuid);
        reason = standing?.reason ?? '';
        return reason !== '';
      });
      assert.match(reason, /^No score, as .* has not been collected since 20\S+Z: .*ECONNREFUSED/);
      assert.ok(reason.includes(`:${node.port}. ${silences.unreachable.means} `), reason);
    }
  });

  it('are red once they are back with a primary that they lost', async () => {
    await Promise.all(clusters.map(({ node }) => node.start()));
    if (isFull) {
      // Started now, because the tests wait a minute anyway before they need them.
      voters ??= Promise.all(clusters.map(startVoter));
      voters.catch(() => undefined); // whoever awaits them gets the error
    }
    await Promise.all(clusters.map(provokeRejections));
    for (const { uuid, ask } of clusters) {
      const [row] = await watching.until<HealthRow>(
        `SELECT unassigned_shards, unassigned_primaries FROM telltale.cluster_overview
         WHERE cluster_uuid = '${uuid}' AND section = 'health' AND status = 'red'
           AND taken_at > fromUnixTimestamp64Milli(${killedAt}) ORDER BY slot DESC LIMIT 1`,
        // Shards that a node is still recovering right after its start become assigned a moment later.
        ([found]) => found?.unassigned_primaries === 1,
      );
      const health = (await ask('GET', '/_cluster/health')) as { status: string; unassigned_shards: number };
      assert.equal(health.status, 'red');
      assert.equal(row?.unassigned_shards, health.unassigned_shards);
      const scored = await scoredFor(watching, uuid, 'primaries_unassigned', 50);
      assert.ok((scored.score ?? 100) <= 50);
    }
  });

  it('have a gap where they restarted, which counts as no trip and no rejection', async () => {
    for (const cluster of clusters) {
      const { uuid } = cluster;
      const found = await watching.until<NodeRow>(
        `SELECT * FROM telltale.cluster_nodes WHERE cluster_uuid = '${uuid}' AND name = 'n1' ORDER BY slot`,
        (seen) => seen.some(({ restarted }) => restarted === true),
      );
      const index = found.findIndex(({ restarted }) => restarted === true);
      const [before, after] = [found[index - 1], found[index]];
      assert.ok(before && after);
      assert.ok(ofName(before['thread_pools.pool'], before['thread_pools.rejected'], 'analyze') > 0);
      assert.equal(after['gap'], 'restarted');
      const changes = [...after['thread_pools.rejections'], ...after['circuit_breakers.trips']];
      for (const change of changes) assert.equal(change, null);
      sameRates(nodeRates, undefined, after, 'measured_at');
      // Nodes and indices are separate sections: either can be stored first.
      const [back] = await watching.until<{ gap: string | null }>(
        `SELECT gap FROM telltale.cluster_indices WHERE cluster_uuid = '${uuid}' AND \`index\` = '${watchedIndex}'
           AND taken_at > fromUnixTimestamp64Milli(${killedAt}) ORDER BY taken_at LIMIT 1`,
      );
      assert.notEqual(back?.gap, null);
      const indices = await rowsOf(watching, cluster, 'cluster_indices', `\`index\` = '${watchedIndex}'`);
      sameAlong(indices, 'taken_at', indexRates);
      const negative = found
        .flatMap((row) => Object.entries(row))
        .filter(([name, value]) => !name.startsWith('_') && Number(value) < 0);
      assert.deepEqual(negative, []);
      const scored = await scoredFor(watching, uuid, 'node_restarted', 2);
      for (const code of ['thread_pool_rejections', 'circuit_breaker_tripped']) {
        assert.ok(!scored['deductions.code'].includes(code), code);
      }
    }
  });

  ofFull('have rates of a node that are what its own counters grew by in a minute', async () => {
    await Promise.all(
      clusters.map(async (cluster) => {
        const rated = `SELECT 1 FROM telltale.cluster_nodes WHERE cluster_uuid = '${cluster.uuid}' AND name = 'n1' AND queries_per_second > 0 AND indexed_per_second > 0`;
        let number = 100;
        await until(`rates of ${cluster.version}`, async () => {
          await operateSlowly(cluster, (number += 1));
          await sleep(500);
          return (await watching.query(rated)).length > 0;
        });
        sameAlong(await rowsOf(watching, cluster, 'cluster_nodes', "name = 'n1'"), 'measured_at', nodeRates);
      }),
    );
  });

  ofFull('have a shard on its way from node to node, byte by byte as they tell it', async () => {
    await voters;
    await Promise.all(clusters.map(startMoving));
    for (const cluster of clusters) {
      const before = await answersOf(cluster, movingIndex);
      const shard = await rowAfter(
        watching,
        cluster,
        'cluster_shards',
        movingIndex,
        before.answeredAt,
        ofIndex(before),
      );
      const recovery = await rowAfter(
        watching,
        cluster,
        'cluster_recoveries',
        movingIndex,
        before.answeredAt,
      );
      const readings = [before, await answersOf(cluster, movingIndex)];
      sameRow(cluster, 'cluster_shards (moving)', shardColumns, movingShardRules, shard, readings);
      sameRow(cluster, 'cluster_recoveries', recoveryColumns, recoveryRules(movingIndex), recovery, readings);
      await rowAfter(watching, cluster, 'cluster_recoveries', movingIndex, readings[1]?.answeredAt ?? 0);
      const recoveries = await rowsOf(
        watching,
        cluster,
        'cluster_recoveries',
        `\`index\` = '${movingIndex}' AND type = 'PEER' AND started_at = '${String(recovery['started_at'])}'`,
      );
      sameAlong(recoveries, 'taken_at', recoverySpeed);
    }
  });

  ofFull(
    'have no master once the voting node is dead: only this is scored, and no other value is invented',
    async () => {
      for (const [index, cluster] of clusters.entries()) {
        await loseQuorum(cluster, (await voters)?.[index] ?? assert.fail('each has one'));
      }
      for (const { uuid, node } of clusters) {
        const [row] = await watching.until<Readonly<Record<string, unknown>>>(
          `SELECT * FROM telltale.cluster_overview
         WHERE cluster_uuid = '${uuid}' AND section = 'health' AND no_master ORDER BY slot LIMIT 1`,
        );
        const said = await node.ask('GET', '/_cluster/health?timeout=1s&master_timeout=1s');
        assert.equal(said.status, 503);
        const unmeasured = ['status', 'nodes', 'active_shards', 'unassigned_shards', 'unassigned_primaries'];
        assert.deepEqual(
          unmeasured.map((name) => row?.[name]),
          unmeasured.map(() => null),
        );
        const scored = await scoredFor(watching, uuid, 'no_master', 60);
        assert.ok((scored.score ?? 100) <= 40);
      }
    },
  );

  it('received only calls that are on the list, by the count of the agent and by their own', async () => {
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
    // The agent loses its counts when it is killed; the nodes' logs lose nothing.
    for (const [call, count] of counted) assert.ok((asked.get(call) ?? 0) >= count, call);
  });
});

interface ConnectionTest {
  readonly ok: boolean;
  readonly kind: string;
  readonly status: string;
}

interface Standing {
  readonly cluster_uuid: string;
  readonly status: string | null;
  readonly score: number | null;
  readonly stale: boolean;
  readonly reason: string | null;
}

interface SlowOperationPage {
  readonly thresholds: { readonly as_of: string | null };
  readonly notice: string | null;
  readonly slow_operations: readonly StoredSlowOperation[];
  readonly next: string | null;
}
