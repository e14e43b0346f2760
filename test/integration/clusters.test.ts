import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterSnapshot } from '../../schemas/generated/cluster-snapshot.js';
import type { SectionName } from '../../schemas/snapshots.js';
import { edgeDocument } from '../../schemas/openapi/edge-document.js';
import { createDocumentChecker } from '../contract/document-checker.js';
import { askAsAnalyst, questionsOf } from '../support/analytics-questions.js';
import { BatchSender } from '../support/agent-batches.js';
import {
  clusterUuid,
  healthBody,
  nodesBody,
  snapshot,
  SteppedCluster,
} from '../support/cluster-snapshots.js';
import { clusterFindings, slowClusterUuid, slowSearches } from '../support/cluster-questions.js';
import { queriesOf } from '../support/grafana-dashboards.js';
import { newKey } from '../support/operator-questions.js';
import { sharedPipeline, type Pipeline } from '../support/pipeline.js';
import { until } from '../support/until.js';

const checker = createDocumentChecker(edgeDocument);

const minutes = 12;
/**
 * Set when the tests start, long after this file was loaded. The minutes end slightly in the future, within
 * the tolerance for wrong clocks: however slow this host is, none of them is stale when it is read.
 */
let firstMinute = 0;

const indexBody = (index: string, uuid: string, total: number) => ({
  index,
  uuid,
  health: 'yellow',
  state: 'open',
  primaries: 1,
  replicas: 1,
  docs_count: total,
  docs_deleted: 0,
  store_bytes: total * 100,
  primary_store_bytes: total * 100,
  incarnation: `${uuid}-here`,
  total: { indexing_total: total, indexing_time_ms: total * 700, docs_count: total },
  primary: { indexing_total: total, indexing_time_ms: total * 700 },
});

const unassigned = {
  index: 'books',
  shard: 0,
  primary: false,
  state: 'UNASSIGNED',
  unassigned_reason: 'NODE_LEFT',
};

/** The sections of one minute: nodes and health, sometimes others. The second node restarts in minute 6. */
function minuteOf(offset: number): ClusterSnapshot[] {
  const minute = firstMinute + offset;
  const of = (section: SectionName, body: object) => snapshot(section, minute, body);
  const nodes = nodesBody(
    { id: 'n1', queries: offset * 120 },
    { id: 'n2', queries: offset < 6 ? offset * 60 : offset, start: offset < 6 ? 1 : 2 },
  );
  return [
    of('nodes', nodes),
    of('health', healthBody({ status: 'yellow', nodes: 2, data_nodes: 2, unassigned_shards: 1 })),
    ...(offset % 5 === 0
      ? [
          of('indices', {
            indices_total: 1,
            indices_with_operations: 1,
            slow_indexing_threshold_ms: 500,
            indices: [indexBody('books', offset < 10 ? 'u1' : 'u2', offset * 300)],
          }),
          of('allocation_explain', {
            unassigned: 1,
            explanations: [
              {
                ...unassigned,
                can_allocate: 'no',
                explanation: 'no node can hold it',
                recommendation_code: 'add_node',
                recommendation: 'Add a data node.',
              },
            ],
          }),
          of('shards', {
            shards_total: 1,
            unassigned: 1,
            unassigned_primaries: 0,
            shards: [unassigned],
          }),
        ]
      : []),
    ...(offset === 0
      ? [
          of('capabilities', {
            sections: [{ section: 'nodes', state: 'ok' }],
            slow_log_thresholds: { search: false, indexing: false },
          }),
          of('tasks', {
            tasks_total: 1,
            tasks: [
              {
                task_id: 'n1:7',
                action: 'indices:data/write/reindex',
                kind: 'reindex',
                total: 10,
                created: 4,
              },
            ],
          }),
          of('data_streams', {
            ...{ data_streams_total: 3, backing_indices: 5, store_bytes: 35, data_streams_cut: 1 },
            data_streams: [
              { data_stream: 'logs', backing_indices: 2, store_bytes: 5, newest_document_at: null },
              { data_stream: 'visits', backing_indices: 3, store_bytes: 30, newest_document_at: 1.7e12 },
            ],
          }),
          of('pending_tasks', { tasks_total: 1, tasks: [{ priority: 'HIGH', queued_ms: 5 }] }),
          of('recovery', {
            recoveries_total: 1,
            recoveries: [
              {
                index: 'books',
                shard: 0,
                stage: 'INDEX',
                bytes_recovered: 10,
                started_at: 1_700_000_000_000,
              },
            ],
          }),
        ]
      : []),
  ];
}

/** The item that an agent sends, without the fields that the edge adds. */
function itemOf({ body, ...head }: ClusterSnapshot): object {
  return { ...head, body: JSON.parse(body) as object };
}

describe('clusters, from the agent to ClickHouse', () => {
  let pipeline: Pipeline;
  const expected = new SteppedCluster();

  before(async () => {
    pipeline = await sharedPipeline('clusters');
    firstMinute = Math.floor(Date.now() / 60_000) - minutes + 9;
    const log = Array.from({ length: minutes }, (_, offset) => minuteOf(offset));
    const agents = [1, 2].map(() => new BatchSender(pipeline.edge.url, pipeline.key));
    for (const [offset, records] of log.entries()) {
      await expected.run(records);
      await agents[0]?.send('snapshots', records.map(itemOf));
      const again = records.map((record) => ({ ...record, collection: 'agent-two' }));
      await agents[1]?.send('snapshots', again.map(itemOf));
      if (offset === 4) {
        await pipeline.processors.kill9();
        await pipeline.processors.start();
      }
      if (offset === 8) await pipeline.sinks.kill9();
    }
    for (const agent of agents) await agent.send('slow-operations', slowSearches(firstMinute * 60_000));
    await pipeline.sinks.start();
    await stored('cluster_nodes', minutes * 2);
    await stored('cluster_overview', log.flat().length);
    await stored('cluster_health', minutes);
    await stored('cluster_shards', 3);
    await stored('cluster_indices', 3);
    await stored('cluster_tasks', 2);
    await stored('cluster_recoveries', 1);
    await stored('slow_operations', 6, slowClusterUuid);
  });

  after(() => pipeline.stop());

  const where = `workspace = 'clusters' AND cluster_uuid = '${clusterUuid}'`;
  async function stored(table: string, atLeast: number, uuid = clusterUuid): Promise<void> {
    for (const deadline = Date.now() + 240_000; ;) {
      const [found] = await pipeline.query<{ rows: string }>(
        `SELECT count() AS rows FROM telltale.${table} WHERE workspace = 'clusters' AND cluster_uuid = '${uuid}'`,
      );
      if (Number(found?.rows) >= atLeast) return;
      assert.ok(Date.now() < deadline, `${table} has ${found?.rows ?? 0} rows of ${atLeast}`);
      await sleep(200);
    }
  }

  it('stores each snapshot once, whoever sent it, through kill -9 of processors and sinks', async () => {
    const [counts] = await pipeline.query(
      `SELECT count() AS nodes, uniqExact(slot, node_id) AS distinct FROM telltale.cluster_nodes WHERE ${where}`,
    );
    assert.deepEqual(counts, { nodes: minutes * 2, distinct: minutes * 2 });
    assert.deepEqual(await pipeline.audit(), { duplicates: 0, gaps: 0, expired: 0 });
  });

  it('has each slow-log entry once in queries, even if two agents read the log', async () => {
    const [counts] = await pipeline.query(
      `SELECT count() AS entries, uniqExact(id) AS distinct FROM telltale.slow_operation_entries WHERE cluster_uuid = '${slowClusterUuid}'`,
    );
    assert.deepEqual(counts, { entries: 3, distinct: 3 });
  });

  it('derives the same as a process that never died', async () => {
    const found = await pipeline.query<Record<string, number | null>>(
      `SELECT node_id, queries_per_second, query_latency_ms, gap, restarted FROM telltale.cluster_nodes WHERE ${where} ORDER BY slot, node_id`,
    );
    const wanted = expected
      .rows('clusters.nodes')
      .map((row) =>
        Object.fromEntries(
          ['node_id', 'queries_per_second', 'query_latency_ms', 'gap', 'restarted'].map((name) => [
            name,
            row[name] ?? null,
          ]),
        ),
      );
    assert.deepEqual(found, wanted);
    assert.equal(found.filter(({ gap }) => String(gap) === 'restarted').length, 1);
  });

  it('reports a gap for an index that was recreated, and marks one that is slow', async () => {
    const found = await pipeline.query(
      `SELECT indexed_per_second, slow_indexing, gap, docs_growth_per_second FROM telltale.cluster_indices WHERE ${where} ORDER BY slot`,
    );
    assert.deepEqual(found, [
      { indexed_per_second: null, slow_indexing: null, gap: 'first snapshot', docs_growth_per_second: null },
      { indexed_per_second: 5, slow_indexing: true, gap: null, docs_growth_per_second: 5 },
      { indexed_per_second: null, slow_indexing: null, gap: 'recreated', docs_growth_per_second: null },
    ]);
  });

  it('gives an unassigned shard its reason and its recommendation', async () => {
    const found = await pipeline.query(
      `SELECT unassigned_reason, recommendation FROM telltale.cluster_shards WHERE ${where} ORDER BY slot DESC LIMIT 1`,
    );
    assert.deepEqual(found, [{ unassigned_reason: 'NODE_LEFT', recommendation: 'Add a data node.' }]);
  });

  it('keeps the history of the score, and rolls nodes up by the hour', async () => {
    const [health] = await pipeline.query<{ score: number; codes: string[] }>(
      `SELECT score, deductions.code AS codes FROM telltale.cluster_health WHERE ${where} ORDER BY at DESC LIMIT 1`,
    );
    assert.deepEqual(health, { score: 73, codes: ['replicas_unassigned', 'node_restarted'] });
    const [rolled] = await pipeline.query<{ samples: number; heap: number }>(
      `SELECT sum(samples) AS samples, avgMerge(heap_used_percent_avg) AS heap FROM telltale.cluster_nodes_hourly WHERE ${where}`,
    );
    assert.deepEqual(rolled, { samples: minutes * 2, heap: 40 });
  });

  it('answer every question of docs/clusters.md, and draw every panel of the dashboard', async () => {
    const documented = [...readFileSync('docs/clusters.md', 'utf8').matchAll(/```sql\n([\s\S]*?)```/g)];
    const drawn = queriesOf('clusters.json', { cluster: clusterUuid }).map(({ sql }) => sql);
    for (const sql of [...documented.map(([, text = '']) => text), ...drawn]) {
      assert.ok((await pipeline.query(sql)).length > 0, sql);
    }
  });

  it('answer the questions of docs/analytics.md, with their own values', async () => {
    const questions = questionsOf('Six questions about clusters');
    assert.deepEqual([...questions.keys()], Object.keys(clusterFindings));
    const minute = (offset: number): string =>
      new Date((firstMinute + offset) * 60_000).toISOString().slice(0, 19).replace('T', ' ');
    for (const [question, sql] of questions) {
      const mine = (await askAsAnalyst(pipeline.stack, sql)).filter(
        ({ workspace }) => workspace === 'clusters',
      );
      clusterFindings[question]?.(
        mine.map(({ workspace: own, ...row }) => (assert.ok(own), row)),
        minute,
      );
    }
  });

  describe('are read at the edge', () => {
    const read = async (path: string, key = pipeline.key): Promise<Answered> => {
      const answer = await fetch(`${pipeline.edge.url}/api/v1/clusters${path}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const body = (await answer.json()) as Answered['body'];
      if (answer.ok) {
        const [of = ''] = path.split('?');
        const pattern = `/api/v1/clusters${of.replace(/^\/[^/]+/, '/{cluster_uuid}').replace(/[0-9a-f]{32}$/, '{operation_id}')}`;
        const problems = checker.problemsOf('get', pattern, {
          status: answer.status,
          headers: Object.fromEntries(answer.headers),
          body: Buffer.from(JSON.stringify(body)),
        });
        assert.deepEqual(problems, [], path);
      }
      return { status: answer.status, body };
    };
    const one = `/${clusterUuid}`;

    it('as a list with the score of each', async () => {
      const { status, body } = await read('');
      assert.equal(status, 200);
      const [cluster] = body['clusters'] as { cluster_uuid: string; score: number }[];
      assert.equal(cluster?.cluster_uuid, clusterUuid);
      assert.equal(cluster.score, 73);
    });

    it('one by one, with sums that are null if a node lacks the figure', async () => {
      const { body } = await read(one);
      assert.equal((body['health'] as { status: string }).status, 'yellow');
      const traffic = body['traffic'] as { queries_per_second: number; indexed_per_second: null };
      assert.ok(Math.abs(traffic.queries_per_second - (120 + 1) / 60) < 1e-9);
      assert.equal(traffic.indexed_per_second, null);
    });

    it('with the history of the score, a page at a time, of scores with one timestamp', async () => {
      const whole = (await read(`${one}/health`)).body['history'] as object[];
      const paged: object[] = [];
      for (let query: string | null = '?limit=5'; query !== null;) {
        const { body } = await read(`${one}/health${query}`);
        paged.push(...(body['history'] as object[]));
        query = body['next'] === null ? null : `?limit=5&cursor=${body['next'] as string}`;
      }
      assert.deepEqual(paged, whole);
      assert.ok(whole.length >= minutes);
    });

    it('with nodes, indices and shards of the last snapshot', async () => {
      const nodes = (await read(`${one}/nodes?limit=1`)).body;
      assert.equal(nodes['total'], 2);
      assert.match(String(nodes['next']), /^n-\d+-1$/);
      const ofAnother = await read(`${one}/indices?cursor=${String(nodes['next'])}`);
      assert.equal(ofAnother.status, 422);
      assert.equal((await read(`${one}/nodes?cursor=n-1700000000000-1`)).status, 422);
      const [node] = nodes['nodes'] as {
        node_id: string;
        thread_pools: { pool: string; rejections: number }[];
      }[];
      assert.equal(node?.node_id, 'n1');
      assert.deepEqual(node.thread_pools[0]?.rejections, 0);
      const [index] = (await read(`${one}/indices`)).body['indices'] as { gap: string }[];
      assert.equal(index?.gap, 'recreated');
      const [shard] = (await read(`${one}/shards`)).body['shards'] as { recommendation: string }[];
      assert.equal(shard?.recommendation, 'Add a data node.');
    });

    /** Part of this range is in the future. */
    const wholeRange = (): string =>
      `from=${new Date(firstMinute * 60_000).toISOString()}&to=${new Date((firstMinute + minutes) * 60_000).toISOString()}`;

    it('with any figure over time: what could not be measured is null, with the reason', async () => {
      const course = async (list: string, query: string) => {
        const { body } = await read(`${one}${list}/series?${query}&${wholeRange()}`);
        return (body['series'] as readonly Course[]).map(({ id, points }) => ({
          id,
          values: points.map(({ mean, gap }) => mean ?? gap),
        }));
      };
      const rows = await pipeline.query<{ node_id: string; rate: number | null; gap: string | null }>(
        `SELECT node_id, queries_per_second AS rate, gap FROM telltale.cluster_nodes WHERE ${where} ORDER BY node_id, slot`,
      );
      const stored = ['n1', 'n2'].map((id) => ({
        id,
        values: rows.filter(({ node_id: node }) => node === id).map(({ rate, gap }) => rate ?? gap),
      }));
      assert.deepEqual(await course('/nodes', 'figure=queries_per_second'), stored);
      assert.equal(stored[1]?.values[6], 'restarted');
      const [whole] = await course('', 'figure=queries_per_second');
      assert.equal(whole?.values[6], '1 nodes have no such figure');
      assert.equal(whole.values[3], 3);
      const [scored] = await course('', 'figure=score');
      assert.ok(scored?.values.includes(73));
      const [books] = await course('/indices', 'figure=docs_count&id=books');
      assert.deepEqual(books?.values, [0, 1_500, 3_000]);
      assert.deepEqual(await course('/indices', 'figure=docs_count&id=none'), []);
    });

    it('with what happened: rules, and nodes that restarted', async () => {
      const { body } = await read(`${one}/timeline?${wholeRange()}`);
      const events = body['events'] as readonly { readonly what: string; readonly name: string | null }[];
      const told = events.map(({ what, name }) => `${what} ${name ?? ''}`);
      assert.ok(told.includes('rule_began node_restarted'), told.join(', '));
      assert.equal(told.filter((text) => text.startsWith('node_restarted ')).length, 1);
      assert.ok(!told.some((text) => text.startsWith('node_left')), told.join(', '));
    });

    it('with unassigned shards by their cause, and long work', async () => {
      const [group] = (await read(`${one}/unassigned`)).body['groups'] as readonly Record<string, unknown>[];
      const { reason, recommendation, shards, primaries, indices } = group ?? {};
      assert.deepEqual(
        [reason, recommendation, shards, primaries, indices],
        ['NODE_LEFT', 'Add a data node.', 1, 0, ['books']],
      );
      const found = async (list: string, rows: string): Promise<readonly unknown[]> => {
        const { body } = await read(`${one}/${list}`);
        const [row, ...others] = body[rows] as readonly Record<string, unknown>[];
        assert.deepEqual([others, body['total'], body['in_cluster']], [[], 1, 1], list);
        return [
          row?.['kind'],
          row?.['progress_ratio'],
          row?.['priority'],
          row?.['queued_ms'],
          row?.['stage'],
        ];
      };
      assert.deepEqual(await found('tasks', 'tasks'), ['reindex', 0.4, null, null, undefined]);
      assert.deepEqual(await found('tasks?pending=true', 'tasks'), ['pending', null, 'HIGH', 5, undefined]);
      assert.equal((await found('recoveries', 'recoveries')).at(-1), 'INDEX');
    });

    it('with data streams, a page at a time, the largest first', async () => {
      const { body } = await read(`${one}/data-streams?limit=1`);
      assert.deepEqual([body['total'], body['in_cluster'], body['cut']], [2, 3, 1]);
      const visits = { data_stream: 'visits', backing_indices: 3, store_bytes: 30 };
      assert.deepEqual(body['data_streams'], [{ ...visits, newest_document_at: '2023-11-14T22:13:20.000Z' }]);
      const rest = (await read(`${one}/data-streams?limit=1&cursor=${String(body['next'])}`)).body;
      const logs = { data_stream: 'logs', backing_indices: 2, store_bytes: 5, newest_document_at: null };
      assert.deepEqual([rest['data_streams'], rest['next']], [[logs], null]);
    });

    it('filtered, and sorted', async () => {
      const names = async (query: string): Promise<readonly unknown[]> =>
        ((await read(`${one}${query}`)).body['nodes'] as { node_id: string }[]).map(({ node_id: id }) => id);
      assert.deepEqual(await names('/nodes?sort=queries'), ['n1', 'n2']);
      assert.deepEqual(await names('/nodes?role=none'), []);
      const total = async (query: string): Promise<unknown> => (await read(`${one}${query}`)).body['total'];
      assert.deepEqual(
        await Promise.all(['/indices?health=yellow', '/indices?health=red'].map(total)),
        [1, 0],
      );
      assert.deepEqual(await Promise.all(['/shards?index=books', '/shards?node=n1'].map(total)), [1, 0]);
      assert.equal(await total('/indices?slow=true&sort=query_latency'), 0);
    });

    it('and say whether there could be slow operations at all', async () => {
      const { body } = await read(`${one}/slow-operations`);
      assert.deepEqual(body['slow_operations'], []);
      assert.match(String(body['notice']), /No slow-log threshold is configured/);
      const summary = (await read(`${one}/slow-operations/summary?${wholeRange()}`)).body;
      const points = summary['points'] as readonly { search: unknown; search_gap: unknown }[];
      assert.deepEqual([...new Set(points.map(({ search }) => search))], [null]);
      assert.match(String(points.at(-1)?.search_gap), /^No slow-log threshold of search is configured/);
    });

    it('and count no slow operation before a returning agent has looked', async () => {
      const uuid = 'cluster-come-back';
      const body = { sections: [], slow_log_thresholds: { search: true, indexing: true } };
      // The slot of a section that is collected every few minutes starts that much earlier.
      const taken = { taken_at: (firstMinute + 5) * 60_000 + 1_000 };
      const report = snapshot('capabilities', firstMinute, body, { cluster_uuid: uuid, ...taken });
      await new BatchSender(pipeline.edge.url, pipeline.key).send('snapshots', [itemOf(report)]);
      await stored('cluster_overview', 1, uuid);
      const { points } = (await read(`/${uuid}/slow-operations/summary?${wholeRange()}`)).body as {
        readonly points: readonly { readonly at: string; readonly search: number | null }[];
      };
      assert.deepEqual(
        points.map(({ at, search }) => [Date.parse(at), search]),
        [[(firstMinute + 5) * 60_000, 0]],
      );
    });

    it('with slow operations by query shape', async () => {
      const uuid = 'cluster-with-shapes';
      const [form] = slowSearches(firstMinute * 60_000) as readonly { readonly at: number }[];
      const of = (query: string, took: number, place: number): object => ({
        ...{ ...form, cluster_uuid: uuid, id: String(place).padStart(32, '0'), took_ms: took, query },
        ...{ query_length: query.length },
      });
      const agent = new BatchSender(pipeline.edge.url, pipeline.key);
      await agent.send('slow-operations', [
        of('{"query":{"terms":{"shelf":["a","b"]}},"size":10}', 100, 1),
        of('{"query":{"terms":{"shelf":["it\\"s: 1, [2]"]}},"size":25}', 300, 2),
        of('{"aggs":{"by":{"terms":{"field":"shelf"}}}}', 50, 3),
        of('{"aggs":{"by":{"terms":{"field":"room"}}}}', 60, 4),
      ]);
      await stored('slow_operations', 4, uuid);
      const { body: one } = await read(`/${uuid}/slow-operations/${'3'.padStart(32, '0')}`);
      assert.equal((one['slow_operation'] as { readonly took_ms: number }).took_ms, 50);
      const { status } = await read(`/${slowClusterUuid}/slow-operations/${'3'.padStart(32, '0')}`);
      assert.equal(status, 404, 'of another cluster');
      const { body } = await read(`/${uuid}/slow-operations/summary`);
      const groups = body['groups'] as readonly (Record<string, unknown> & {
        readonly fingerprint: string;
      })[];
      assert.deepEqual(
        groups.map(({ shape, count, sum_ms: sum }) => [shape, count, sum]),
        [
          ['{"query":{"terms":{"shelf":[?]}},"size":?}', 2, 400],
          ['{"aggs":{"by":{"terms":{"field":"room"}}}}', 1, 60],
          ['{"aggs":{"by":{"terms":{"field":"shelf"}}}}', 1, 50],
        ],
      );
      const points = body['points'] as readonly { readonly search: number }[];
      assert.equal(
        points.reduce((sum, { search }) => sum + search, 0),
        4,
      );
      const took = async (query: string): Promise<readonly number[]> => {
        const { body: answer } = await read(`/${uuid}/slow-operations?${query}`);
        assert.ok('slow_operations' in answer, JSON.stringify(answer));
        return (answer['slow_operations'] as readonly { readonly took_ms: number }[]).map(
          ({ took_ms: ms }) => ms,
        );
      };
      assert.deepEqual(await took(`shape=${groups[0]?.fingerprint ?? ''}&sort=slowest`), [300, 100]);
      assert.deepEqual(await took('min_took_ms=60&kind=search&sort=slowest'), [300, 100, 60]);
      assert.deepEqual(await took('index=none'), []);
      const first = (await read(`/${uuid}/slow-operations?sort=slowest&limit=3`)).body['next'] as string;
      assert.deepEqual(await took(`sort=slowest&limit=3&cursor=${first}`), [50]);
    });

    it('with slow operations a page at a time: late ones move nothing to another page', async () => {
      const uuid = 'cluster-with-late-logs';
      const agent = new BatchSender(pipeline.edge.url, pipeline.key);
      let sent = 0;
      const send = async (...tookMs: readonly number[]): Promise<void> => {
        const [form] = slowSearches(firstMinute * 60_000) as readonly { readonly at: number }[];
        const items = tookMs.map((ms, index) => ({
          ...form,
          cluster_uuid: uuid,
          id: String(sent + index).padStart(32, '0'),
          at: (form?.at ?? 0) + ms,
          took_ms: ms,
        }));
        sent += items.length;
        await agent.send('slow-operations', items);
        await stored('slow_operations', sent, uuid);
      };
      const page = async (cursor: string | null) => {
        const { body } = await read(
          `/${uuid}/slow-operations?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`,
        );
        const entries = body['slow_operations'] as readonly { readonly took_ms: number }[];
        return { tookMs: entries.map(({ took_ms: ms }) => ms), next: body['next'] as string | null };
      };
      await send(6, 4, 4, 4, 2);
      const first = await page(null);
      assert.deepEqual(first.tookMs, [6, 4]);
      await send(7, 5, 3);
      const second = await page(first.next);
      assert.deepEqual(second.tookMs, [4, 4]);
      await send(1);
      const third = await page(second.next);
      assert.deepEqual(third.tookMs, [3, 2]);
      assert.deepEqual(await page(third.next), { tookMs: [1], next: null });
    });

    it('by no other workspace, and by no key without the scope', async () => {
      const stranger = await newKey(pipeline.environment, 'strangers', ['read']);
      const writer = await newKey(pipeline.environment, 'clusters', ['agent']);
      await until('both keys are known', async () =>
        (await Promise.all([read(one, stranger), read(one, writer)])).every(({ status }) => status !== 401),
      );
      assert.equal((await read(one, stranger)).status, 404);
      assert.deepEqual((await read('', stranger)).body['clusters'], []);
      assert.equal((await read(one, writer)).status, 403);
      assert.equal((await read('/none-of-ours')).status, 404);
      assert.equal((await read(`${one}/nodes?limit=0`)).status, 422);
    });
  });
});

interface Course {
  readonly id: string;
  readonly points: readonly { readonly mean: number | null; readonly gap: string | null }[];
}

interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}
