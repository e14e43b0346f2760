import assert from 'node:assert/strict';
import type { SearchAnswer } from '../../../../../agent/collectors/client-port.js';
import { newClusterMemory } from '../../../../../agent/collectors/cluster-memory.js';
import { allowedCall } from '../../../../../agent/integration/client/allow-list.js';
import { indicesCollector } from '../../../../../agent/collectors/sections/indices.js';
import type { IndicesSection } from '../../../../../schemas/snapshots/index-section.js';
import { answered, collectFrom } from '../../../../support/stub-collection.js';

const unrecognized = {
  error: {
    type: 'illegal_argument_exception',
    reason: 'request [/_cat/indices] contains unrecognized parameter: [expand_wildcards]',
  },
  status: 400,
};

/** The outcome, and for each call whether it requested hidden indices. */
async function listing(
  version: string,
  answer: (path: string) => SearchAnswer | undefined = () => undefined,
  memory = newClusterMemory(),
) {
  const withHidden: boolean[] = [];
  const outcome = await collectFrom(
    indicesCollector,
    (path) => {
      if (!path.startsWith('/_cat/indices')) return answered(200, {});
      withHidden.push(path.includes('expand_wildcards=all'));
      const listed = { index: 'books', uuid: 'i1', health: 'green', status: 'close', pri: '1', rep: '0' };
      return answer(path) ?? answered(200, [listed]);
    },
    { version, memory },
  );
  return { outcome, withHidden };
}

describe('the listing of indices', () => {
  it('includes hidden indices from the version that introduced them, also after an upgrade', async () => {
    const memory = newClusterMemory();
    for (const [version, has] of [
      ['7.6.2', false],
      ['7.7.0', true],
      ['8.14.1', true],
    ] as const) {
      const { outcome, withHidden } = await listing(version, undefined, memory);
      assert.ok(outcome.ok);
      assert.deepEqual(withHidden, [has], version);
    }
  });

  it('omits hidden indices if an older node took the call, and asks for them again the next time', async () => {
    const memory = newClusterMemory();
    const older = (path: string) =>
      path.includes('expand_wildcards') ? answered(400, unrecognized) : undefined;
    const { outcome, withHidden } = await listing('8.14.1', older, memory);
    assert.ok(outcome.ok && outcome.collected !== null);
    assert.equal((outcome.collected.body as IndicesSection).indices.length, 1);
    assert.deepEqual(withHidden, [true, false]);
    assert.deepEqual((await listing('8.14.1', undefined, memory)).withHidden, [true]);
  });

  it('does not omit hidden indices because a proxy answered: the next interval tries again', async () => {
    const memory = newClusterMemory();
    const { outcome, withHidden } = await listing('8.14.1', () => answered(404, 'Not here'), memory);
    assert.ok(!outcome.ok);
    assert.deepEqual([outcome.failure.kind, withHidden], ['broken', [true]]);
    assert.deepEqual((await listing('8.14.1', undefined, memory)).withHidden, [true]);
  });

  it('has the counts of an index with a percent sign in its name, from a call of the allow list', async () => {
    const name = '%{[@metadata][beat]}-2026.11.22';
    const listed = { uuid: 'i1', health: 'green', status: 'open', pri: '1', rep: '0' };
    const outcome = await collectFrom(indicesCollector, (path) => {
      assert.notEqual(allowedCall('GET', path), undefined, path);
      if (path.startsWith('/_cat/indices')) return answered(200, [{ index: name, ...listed }]);
      if (!path.includes('/_stats/')) return answered(200, {});
      const total = { docs: { count: 1 }, indexing: { index_total: 7 } };
      const other = { ...total, indexing: { index_total: 8 } };
      return answered(200, {
        indices: {
          [name]: { uuid: 'i1', total, primaries: total },
          'beat-2026.11.22': { uuid: 'i2', total: other, primaries: other },
        },
      });
    });
    assert.ok(outcome.ok && outcome.collected !== null);
    const { indices } = outcome.collected.body as {
      indices: readonly { index: string; total: { indexing_total: number } | null }[];
    };
    assert.deepEqual(
      indices.map(({ index, total }) => [index, total?.indexing_total]),
      [[name, 7]],
    );
  });

  it('has the counts that every version knows if an older node took the call', async () => {
    const asked: string[] = [];
    const total = { docs: { count: 1 }, indexing: { index_total: 7 } };
    const outcome = await collectFrom(
      indicesCollector,
      (path) => {
        if (path.startsWith('/_cat/indices')) return answered(200, [{ index: 'books', status: 'open' }]);
        if (!path.includes('/_stats/')) return answered(200, {});
        asked.push(path);
        const reason = `request [${path}] contains unrecognized metrics: [bulk], [shard_stats]`;
        if (path.includes('bulk'))
          return answered(400, { error: { type: 'illegal_argument_exception', reason }, status: 400 });
        return answered(200, { indices: { books: { uuid: 'i1', total, primaries: total } } });
      },
      { version: '8.14.1' },
    );
    assert.ok(outcome.ok && outcome.collected !== null);
    assert.equal((outcome.collected.body as IndicesSection).indices[0]?.total?.indexing_total, 7);
    assert.equal(asked.length, 2);
  });
});

describe('the counts of indices, if the nodes cannot be listed', () => {
  const total = { docs: { count: 1 }, indexing: { index_total: 7 } };
  const collect = (refusal: SearchAnswer) =>
    collectFrom(indicesCollector, (path) => {
      if (path.startsWith('/_cat/indices')) return answered(200, [{ index: 'books', status: 'open' }]);
      if (!path.includes('/_stats/')) return refusal;
      const shards = { 0: [{ routing: { primary: true, node: 'n1' } }] };
      return answered(200, { indices: { books: { uuid: 'i1', total, primaries: total, shards } } });
    });
  const refused = (status: number, type: string, reason = ''): SearchAnswer =>
    answered(status, { error: { type, reason }, status });

  it('are read all the same, with the reason why restarts cannot be recognized', async () => {
    const action = 'action [cluster:monitor/nodes/info] is unauthorized for user [u] with roles [r]';
    for (const [answer, code, why] of [
      [refused(403, 'security_exception', action), 'forbidden', /action cluster:monitor\/nodes\/info/],
      [refused(500, 'null_pointer_exception'), 'failed', /answered 500/],
    ] as const) {
      const outcome = await collect(answer);
      assert.ok(outcome.ok && outcome.collected !== null);
      const [books] = (outcome.collected.body as IndicesSection).indices;
      assert.deepEqual([books?.total?.indexing_total, books?.incarnation], [7, null]);
      const absence = outcome.collected.unavailable.find(({ field }) => field === 'indices.*.incarnation');
      assert.equal(absence?.code, code);
      assert.match(absence.reason, /when those nodes started/);
      assert.match(absence.reason, why);
    }
  });

  it('are not reported if the cluster is too busy, or refuses the credentials', async () => {
    for (const [answer, kind] of [
      [refused(429, 'circuit_breaking_exception'), 'busy'],
      [refused(401, 'security_exception'), 'unauthorized'],
    ] as const) {
      const outcome = await collect(answer);
      assert.ok(!outcome.ok);
      assert.equal(outcome.failure.kind, kind);
    }
  });
});

describe('the number of indices of a cluster', () => {
  /** The result of listing two indices, after this answer to the health request for all indices. */
  async function told(health: SearchAnswer) {
    const listed = ['books', 'films'].map((index) => ({ index, status: 'close' }));
    const outcome = await collectFrom(indicesCollector, (path) =>
      path.startsWith('/_cluster/health?level=indices') ? health : answered(200, listed),
    );
    assert.ok(outcome.ok && outcome.collected !== null);
    const { body, unavailable } = outcome.collected;
    const why = unavailable.find(({ field }) => /^indices(_total)?$/.test(field));
    return { total: (body as IndicesSection).indices_total, field: why?.field, why: why?.reason ?? '' };
  }
  const having = (...names: readonly string[]) =>
    answered(200, {
      timed_out: false,
      indices: Object.fromEntries(names.map((name) => [name, { number_of_shards: 1 }])),
    });

  it('is that of its health, closed and hidden ones included, and the list says how many it lacks', async () => {
    const { total, field, why } = await told(having('books', 'films', '.security-7', 'kept', 'lost'));
    assert.deepEqual([total, field], [5, 'indices']);
    assert.match(
      why,
      /^3 of the cluster's 5 indices are not listed: .*may not monitor.*allow_restricted_indices/,
    );
  });

  it('is that of the listing if an index was deleted between the calls', async () => {
    for (const names of [['books'], ['books', 'films']])
      assert.deepEqual(await told(having(...names)), { total: 2, field: undefined, why: '' });
  });

  it('is unknown if the health could not be read, or not in time', async () => {
    for (const answer of [answered(500, {}), answered(408, { timed_out: true }), answered(200, {})]) {
      const { total, field, why } = await told(answer);
      assert.deepEqual([total, field], [null, 'indices_total']);
      assert.match(why, /health of the indices.* could not be read/);
    }
  });
});
