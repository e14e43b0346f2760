import assert from 'node:assert/strict';
import {
  bodyOf,
  collectAll,
  collectedOf,
  type CollectedSections,
} from '../../../support/cluster-captures.js';
import { skipUnlessTested, theNewestElasticsearch } from '../../../support/elasticsearch.js';
import { searchClient } from '../../../support/search-clients.js';

describe('collecting from a real 9.4 with its default setup: security, and HTTPS with a CA of its own', function () {
  this.timeout(600_000); // the node generates keys of 4,096 bits before it starts
  let outcomes: CollectedSections;

  before(async function () {
    await skipUnlessTested(this, '9.4.3');
    const node = await theNewestElasticsearch();
    const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
      const { status, text } = await node.ask(method, path, { body });
      assert.ok(status < 300, `${method} ${path}: ${status} ${text.slice(0, 500)}`);
      return JSON.parse(text) as unknown;
    };
    const filter = { 'index.routing.allocation.require._name': 'no-such-node' };
    await ask('PUT', '/lost?wait_for_active_shards=0', {
      settings: { number_of_replicas: 0, ...filter },
    });
    await ask('PUT', '/orders', { settings: { number_of_replicas: 0 } });
    await ask('PUT', '/orders/_doc/1?refresh=true', { total: 7 });
    const mark = (low: string | null, high: string | null, flood: string | null) =>
      ask('PUT', '/_cluster/settings', {
        persistent: {
          'cluster.routing.allocation.disk.watermark.low': low,
          'cluster.routing.allocation.disk.watermark.high': high,
          'cluster.routing.allocation.disk.watermark.flood_stage': flood,
        },
      });
    await mark('30gb', '20gb', '10gb');
    const { encoded } = (await ask('POST', '/_security/api_key', {
      name: 'collecting',
      role_descriptors: {
        collecting: { cluster: ['monitor'], indices: [{ names: ['*'], privileges: ['monitor'] }] },
      },
    })) as { readonly encoded: string };
    const client = await searchClient(node.port, {
      protocol: 'https',
      tls: { ca: node.authorityFile },
      apiKey: encoded,
    });
    outcomes = await collectAll(client).finally(() => client.close());
    await mark(null, null, null);
    await ask('DELETE', '/lost,orders');
  });

  it('works for every section that the build has', () => {
    const failed = [...outcomes].filter(([, outcome]) => !outcome.ok).map(([section]) => section);
    assert.deepEqual(failed, ['data_streams']);
  });

  it('finds the primary that is lost, and why', () => {
    assert.equal(bodyOf(outcomes, 'health').status, 'red');
    assert.equal(bodyOf(outcomes, 'health').unassigned_primaries, 1);
    assert.equal(bodyOf(outcomes, 'allocation_explain').explanations[0]?.recommendation_code, 'filter');
  });

  it('reads watermarks given in bytes', () => {
    const { low, flood_stage, low_max_headroom_bytes } = bodyOf(outcomes, 'watermarks');
    assert.deepEqual([low.free_bytes, low.used_ratio, low.source], [30 * 2 ** 30, null, 'persistent']);
    assert.equal(flood_stage.free_bytes, 10 * 2 ** 30);
    assert.equal(low_max_headroom_bytes, null);
  });

  it('gives the documents and the counters of this version', () => {
    const orders = bodyOf(outcomes, 'indices').indices.find(({ index }) => index === 'orders');
    assert.equal(orders?.docs_count, 1);
    assert.equal(orders.total?.indexing_total, 1);
    assert.equal(orders.total.queries_failed, 0);
    assert.equal(orders.total.segments_memory_bytes, null);
    const missing = collectedOf(outcomes, 'nodes').unavailable.filter(({ code }) => code === 'not_given');
    assert.deepEqual(missing, []);
  });
});
