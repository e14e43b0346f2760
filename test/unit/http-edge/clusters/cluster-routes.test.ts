import assert from 'node:assert/strict';
import type { ClusterReader } from '../../../../http-edge/clusters/cluster-reader.js';
import { TelltaleError } from '../../../../runtime/errors.js';
import { edgeDocument } from '../../../../schemas/openapi/edge-document.js';
import { exampleClusterUuid } from '../../../../schemas/openapi/cluster-examples.js';
import { exampleSlowOperationId } from '../../../../schemas/openapi/slow-operation-schema.js';
import { createDocumentChecker } from '../../../contract/document-checker.js';
import { startEdgeInMemory, type EdgeInMemory } from '../../../support/edge-in-memory.js';

describe('the clusters at the edge', () => {
  it('answer 503 with Retry-After while ClickHouse is down, and nothing else is affected', async () => {
    const edge = await startEdgeInMemory();
    const away = () => Promise.reject(new TelltaleError('CLICKHOUSE_UNREACHABLE', { url: 'http://store' }));
    Object.assign(edge.ports.clusters, { clusters: away, cluster: away, list: away });
    try {
      for (const path of ['', `/${exampleClusterUuid}`, `/${exampleClusterUuid}/nodes`]) {
        const answer = await edge.get(`/api/v1/clusters${path}`);
        assert.equal(answer.status, 503);
        assert.equal(answer.headers.get('retry-after'), '2');
        assert.doesNotMatch(await answer.text(), /http:/);
      }
      assert.equal((await edge.get('/api/v1/monitoring/metrics/scorers')).status, 200);
      assert.equal((await edge.get('/readyz')).status, 200);
    } finally {
      await edge.stop();
    }
  });
});

describe('one slow operation', () => {
  it('is found by its id; an unknown id is 404, and says so', async () => {
    const edge = await startEdgeInMemory();
    try {
      const path = `/api/v1/clusters/${exampleClusterUuid}/slow-operations`;
      const found = await edge.get(`${path}/${exampleSlowOperationId}`);
      const { slow_operation: operation } = (await found.json()) as { slow_operation: { id: string } };
      assert.equal(operation.id, exampleSlowOperationId);
      const unknown = await edge.get(`${path}/${'f'.repeat(32)}`);
      assert.equal(unknown.status, 404);
      assert.match(await unknown.text(), /no such slow operation/);
    } finally {
      await edge.stop();
    }
  });
});

describe('filters of the lists of a cluster', () => {
  const checker = createDocumentChecker(edgeDocument);
  let edge: EdgeInMemory;
  /** The parameters of the last read. */
  let asked: unknown;

  before(async () => {
    edge = await startEdgeInMemory();
    const answers: ClusterReader = { ...edge.ports.clusters };
    const watching: Partial<ClusterReader> = {
      health(of, page, range) {
        asked = range;
        return answers.health(of, page, range);
      },
      list(of, list, page, filter) {
        asked = filter;
        return answers.list(of, list, page, filter);
      },
      slowOperations(of, page, query) {
        asked = query;
        return answers.slowOperations(of, page, query);
      },
      series(of, range, query) {
        asked = query;
        return answers.series(of, range, query);
      },
      slowSummary(of, range, filter) {
        asked = filter;
        return answers.slowSummary(of, range, filter);
      },
    };
    Object.assign(edge.ports.clusters, watching);
  });
  after(() => edge.stop());

  async function get(list: string, query: string): Promise<Response> {
    const answer = await edge.get(`/api/v1/clusters/${exampleClusterUuid}/${list}?${query}`);
    const body = Buffer.from(await answer.clone().arrayBuffer());
    const headers = Object.fromEntries(answer.headers);
    const told = { status: answer.status, headers, body };
    const problems = checker.problemsOf('get', `/api/v1/clusters/{cluster_uuid}/${list}`, told);
    assert.deepEqual(problems, [], `${list}?${query}`);
    return answer;
  }

  const noon = Date.parse('2026-01-02T12:00:00Z') * 1_000;
  for (const [list, query, filter] of [
    ['health', '', {}],
    ['health', 'from=2026-01-02T12:00:00Z', { from: noon }],
    ['health', 'from=2026-01-02T14:00:00%2B02:00&to=2026-01-02T12:00:01Z', { from: noon, to: noon + 1e6 }],
    ['slow-operations', 'to=2026-01-02T14:00:00+02:00', { to: noon }],
    ['slow-operations', 'from=2026-01-02%2012:00&limit=5', { from: noon }],
    ['shards', 'state=UNASSIGNED', { state: 'UNASSIGNED' }],
    ['indices', 'prefix=logs-%25', { prefix: 'logs-%' }],
    ['shards', 'index=books&node=es1', { index: 'books', node: 'es1' }],
    [
      'indices',
      'health=red&slow=true&sort=query_latency',
      { health: 'red', slow: 'true', sort: 'query_latency' },
    ],
    ['indices', 'sort=size', {}],
    ['nodes', 'role=data&sort=disk', { role: 'data', sort: 'disk' }],
    ['nodes', 'state=x&prefix=&from=x', {}],
    ['tasks', '', {}],
    ['tasks', 'pending=true', { pending: 'true' }],
    ['recoveries', '', {}],
    [
      'slow-operations',
      'index=books&min_took_ms=500&sort=slowest',
      { index: 'books', min_took_ms: 500, sort: 'slowest' },
    ],
    ['slow-operations/summary', 'kind=search&node=es1', { kind: 'search', node: 'es1' }],
    ['series', '', { of: 'cluster', figure: 'score', limit: 6 }],
    [
      'nodes/series',
      'figure=heap_used_percent&id=n1&limit=1',
      { of: 'nodes', figure: 'heap_used_percent', id: 'n1', limit: 1 },
    ],
  ] as const)
    it(`are what is asked for: /${list}?${query}`, async () => {
      assert.equal((await get(list, query)).status, 200);
      assert.deepEqual(asked, filter);
    });

  for (const [list, query, pointer, cure] of [
    ['health', 'from=yesterday', '/from', /ISO 8601, like 2026-01-31T12:00:00.000Z/],
    ['health', 'from=', '/from', /ISO 8601/],
    ['health', 'from=2026-01-02&to=2026-01-02', '/to', /later than `from`/],
    ['slow-operations', 'to=1767355200', '/to', /ISO 8601/],
    ['slow-operations', 'to=2026-01-02&to=2026-01-03', '/to', /more than once/],
    ['shards', 'state=unassigned', '/state', /one of STARTED, RELOCATING, INITIALIZING, UNASSIGNED/],
    ['shards', 'state=', '/state', /one of STARTED/],
    ['nodes', 'role=data,master', '/role', /name of a role/],
    ['nodes', 'sort=size', '/sort', /one of name, heap/],
    ['tasks', 'pending=false', '/pending', /must be true/],
    ['tasks', 'pending=true&cursor=t-1700000000000-10', '/cursor', /the same query/],
    ['indices', 'slow=false', '/slow', /must be true/],
    ['slow-operations', 'min_took_ms=1s', '/min_took_ms', /whole number of milliseconds/],
    ['slow-operations', 'shape=x', '/shape', /fingerprint/],
    ['nodes/series', 'figure=score', '/figure', /such as uptime_ms/],
    ['indices/series', 'limit=51', '/limit', /1 to 50/],
    ['indices', 'prefix=', '/prefix', /1 to 255 characters/],
    ['indices', `prefix=${'x'.repeat(256)}`, '/prefix', /1 to 255 characters/],
    ['shards', 'state=STARTED&cursor=s-1700000000000-10', '/cursor', /the same query/],
  ] as const)
    it(`are refused with the field and the cure: /${list}?${query.slice(0, 60)}`, async () => {
      const answer = await get(list, query);
      assert.equal(answer.status, 422);
      const { errors } = (await answer.json()) as { errors: readonly { pointer: string; detail: string }[] };
      assert.deepEqual(
        errors.map((error) => error.pointer),
        [pointer],
      );
      assert.match(errors[0]?.detail ?? '', cure);
    });
});
