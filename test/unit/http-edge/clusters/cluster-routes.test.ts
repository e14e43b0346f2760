import assert from 'node:assert/strict';
import { pageOf } from '../../../../http-edge/clusters/page.js';
import { TelltaleError } from '../../../../runtime/errors.js';
import { exampleClusterUuid } from '../../../../schemas/openapi/cluster-paths.js';
import { startEdgeInMemory } from '../../../support/edge-in-memory.js';

describe('the clusters at the edge', () => {
  it('are 503 with Retry-After while ClickHouse is away, and nothing else is harmed', async () => {
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

  it('are read a page at a time, within limits that are told', () => {
    assert.deepEqual(pageOf('/x'), { limit: 100, from: undefined });
    assert.deepEqual(pageOf('/x?limit=5&cursor=1700000000000-10'), {
      limit: 5,
      from: { at: 1_700_000_000_000, offset: 10 },
    });
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'cursor=7', 'cursor=1-9999999', 'cursor=a-b']) {
      assert.throws(() => pageOf(`/x?${query}`), { kind: 'invalid' });
    }
  });
});
