import assert from 'node:assert/strict';
import type { ElasticsearchVersion } from '../../../stack/elasticsearch/distributions.js';
import type { ElasticsearchNode } from '../../../stack/elasticsearch/elasticsearch.js';
import {
  elasticPassword,
  skipUnlessTested,
  startElasticsearch,
  startElasticsearchCluster,
} from '../../support/elasticsearch.js';

async function ask<T>(node: ElasticsearchNode, path: string, init: RequestInit = {}): Promise<T> {
  const headers = new Headers(init.headers);
  headers.set('content-type', 'application/json');
  return (await (await fetch(`${node.url}${path}`, { ...init, headers })).json()) as T;
}

const versionOf = async (node: ElasticsearchNode, init?: RequestInit): Promise<string> =>
  (await ask<{ version: { number: string } }>(node, '/', init)).version.number;

describe('Elasticsearch for tests', () => {
  it('keeps its documents and its port through kill -9', async () => {
    const node = await startElasticsearch({ version: '7.17.15' });
    await ask(node, '/kept/_doc/1?refresh=true', { method: 'PUT', body: '{"n":1}' });
    await node.kill9();
    assert.equal(node.pid, undefined);
    await node.start();
    await ask(node, '/_cluster/health/kept?wait_for_status=yellow&timeout=30s');
    const { _source } = await ask<{ _source: { n: number } }>(node, '/kept/_doc/1');
    assert.deepEqual(_source, { n: 1 });
    await node.stop();
    assert.equal(node.pid, undefined);
  });

  it('forms a cluster of three', async () => {
    const cluster = await startElasticsearchCluster('7.17.15', 3);
    const [first] = cluster.nodes;
    assert.ok(first);
    const health = await ask<{ number_of_data_nodes: number }>(first, '/_cluster/health');
    assert.equal(health.number_of_data_nodes, 3);
    await cluster.stop();
  });

  for (const version of ['8.14.1', '9.4.3'] as const satisfies readonly ElasticsearchVersion[]) {
    it(`runs ${version} with security, and again after kill -9`, async function () {
      await skipUnlessTested(this, version);
      const node = await startElasticsearch({ version, password: elasticPassword });
      const authorization = `Basic ${Buffer.from(`elastic:${elasticPassword}`).toString('base64')}`;
      assert.equal((await fetch(node.url)).status, 401);
      assert.equal(await versionOf(node, { headers: { authorization } }), version);
      await node.kill9();
      await node.start();
      await node.stop();
      await assert.rejects(fetch(node.url));
    });
  }
});
