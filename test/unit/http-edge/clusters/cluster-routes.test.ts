import assert from 'node:assert/strict';
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
});
