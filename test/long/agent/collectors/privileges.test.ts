import assert from 'node:assert/strict';
import { SlowLogThresholdWatch } from '../../../../agent/collectors/slow-log-thresholds.js';
import type { OpenSearchClient } from '../../../../agent/integration/client/search-client.js';
import type { SectionName } from '../../../../schemas/snapshots.js';
import type { ElasticsearchNode } from '../../../../stack/elasticsearch/elasticsearch.js';
import {
  bodyOf,
  collectAll,
  collectedOf,
  type CollectedSections,
} from '../../../support/cluster-captures.js';
import { elasticPassword, skipUnlessTested, theSecureElasticsearch } from '../../../support/elasticsearch.js';
import { askDirectly, searchClient } from '../../../support/search-clients.js';

const elastic = `Basic ${Buffer.from(`elastic:${elasticPassword}`).toString('base64')}`;

/** The privileges that the specification requires; the tests remove one after the other. */
const whole = {
  cluster: ['monitor'],
  indices: [{ names: ['*'], privileges: ['monitor'], allow_restricted_indices: false }],
};

describe('collecting with what a user may do (8.14 with security)', function () {
  let node: ElasticsearchNode;

  before(async function () {
    await skipUnlessTested(this, '8.14.1');
    node = await theSecureElasticsearch();
    await askDirectly(node.url, 'PUT', '/collected-mine', { settings: { number_of_replicas: 1 } }, elastic);
    await askDirectly(node.url, 'PUT', '/collected-theirs', { settings: { number_of_replicas: 0 } }, elastic);
  });

  after(async () => {
    if ((node as ElasticsearchNode | undefined) === undefined) return;
    await askDirectly(node.url, 'DELETE', '/collected-mine,collected-theirs', undefined, elastic);
  });

  async function clientWith(role: object): Promise<OpenSearchClient> {
    const made = (await askDirectly(
      node.url,
      'POST',
      '/_security/api_key',
      { name: 'collecting', role_descriptors: { collecting: role } },
      elastic,
    )) as { readonly encoded: string };
    return searchClient(node.port, { apiKey: made.encoded });
  }

  async function collectWith(role: object): Promise<CollectedSections> {
    const client = await clientWith(role);
    return collectAll(client).finally(() => client.close());
  }

  const kinds = (outcomes: CollectedSections): Partial<Record<SectionName, string>> =>
    Object.fromEntries(
      [...outcomes].flatMap(([section, outcome]) => (outcome.ok ? [] : [[section, outcome.failure.kind]])),
    );

  it('needs the cluster privilege monitor and monitor on all indices, and nothing more', async () => {
    const outcomes = await collectWith(whole);
    // This build of Elasticsearch has no data streams at all.
    assert.deepEqual(kinds(outcomes), { data_streams: 'missing' });
    assert.equal(bodyOf(outcomes, 'watermarks').low.source, 'default');
    assert.equal(bodyOf(outcomes, 'health').status, 'yellow');
    assert.equal(bodyOf(outcomes, 'health').unassigned_primaries, 0);
    const [explanation] = bodyOf(outcomes, 'allocation_explain').explanations;
    assert.equal(explanation?.recommendation_code, 'too_few_nodes');
  });

  it('loses the sections about indices alone without monitor on indices, and says which action is not allowed', async () => {
    const outcomes = await collectWith({ cluster: ['monitor'], indices: [] });
    const lost = kinds(outcomes);
    assert.ok(
      !('health' in lost) && !('nodes' in lost) && !('topology' in lost) && !('cluster_stats' in lost),
    );
    for (const outcome of outcomes.values()) {
      if (outcome.ok || outcome.failure.kind !== 'forbidden') continue;
      assert.match(
        outcome.failure.reason,
        /^the action [\w:/[\]]+ is not allowed; the index privileges .*monitor/,
      );
      assert.doesNotMatch(outcome.failure.reason, /elastic|collecting/, 'users and keys are not named');
    }
  });

  it('misses the indices that may not be seen, and only those', async () => {
    const outcomes = await collectWith({
      cluster: ['monitor'],
      indices: [{ names: ['collected-mine'], privileges: ['monitor'] }],
    });
    const { indices, indices_total } = bodyOf(outcomes, 'indices');
    assert.ok((indices_total ?? 0) > indices.length, `${indices_total} in the cluster`);
    assert.deepEqual(
      indices.filter(({ index }) => index.startsWith('collected-')).map(({ index }) => index),
      ['collected-mine'],
    );
    assert.equal(bodyOf(outcomes, 'health').status, 'yellow');
    assert.ok((bodyOf(outcomes, 'nodes').nodes[0]?.heap_used_bytes ?? 0) > 0);
  });

  it('can tell that no slow-log threshold is set only with monitor on all indices', async () => {
    const thresholdsWith = async (role: object) => {
      const client = await clientWith(role);
      const { signal } = new AbortController();
      return new SlowLogThresholdWatch({ requestTimeoutMs: 15_000 })
        .current(client, 0, signal)
        .finally(() => client.close());
    };
    const someIndices = { ...whole, indices: [{ names: ['collected-mine'], privileges: ['monitor'] }] };
    const setting = 'index.search.slowlog.threshold.query.warn';
    const settings = '/collected-theirs/_settings';
    await askDirectly(node.url, 'PUT', settings, { [setting]: null }, elastic);
    assert.deepEqual((await thresholdsWith(whole)).thresholds, { search: false, indexing: false });
    await askDirectly(node.url, 'PUT', settings, { [setting]: '2s' }, elastic);
    assert.deepEqual((await thresholdsWith(whole)).thresholds, { search: true, indexing: false });
    const hidden = await thresholdsWith(someIndices);
    assert.deepEqual(hidden.thresholds, { search: null, indexing: null });
    assert.match(hidden.diagnostic ?? '', /1 of the indices cannot be seen/);
  });

  it('collects nothing without the cluster privilege monitor: not even who the cluster is', async () => {
    await assert.rejects(collectWith({ cluster: [], indices: whole.indices }), /monitor|Elasticsearch/);
  });

  it('has the segment memory of 8.x as not measured, with the reason', async () => {
    const { body, unavailable } = collectedOf(await collectWith(whole), 'nodes');
    assert.ok(body.nodes.every(({ operations }) => operations.segments_memory_bytes === null));
    assert.equal(
      unavailable.find(({ field }) => field === 'nodes.*.operations.segments_memory_bytes')?.code,
      'always_zero',
    );
    assert.ok(body.nodes.every(({ operations }) => operations.bulks_total !== null));
  });
});
