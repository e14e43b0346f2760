import assert from 'node:assert/strict';
import { SearchCallError } from '../../../../../agent/collectors/client-port.js';
import { allowedCall } from '../../../../../agent/integration/client/allow-list.js';
import { healthCollector } from '../../../../../agent/collectors/sections/health.js';
import type { HealthSection } from '../../../../../schemas/snapshots/cluster-section.js';
import { answered, collectFrom } from '../../../../support/stub-collection.js';

const health = { status: 'red', number_of_nodes: 3, unassigned_shards: 4 };

describe('the health of a cluster', () => {
  it('is reported even if its details time out: they are null, with the reason', async () => {
    const outcome = await collectFrom(healthCollector, (path) => {
      if (path.startsWith('/_cluster/health?master')) return answered(200, health);
      throw new SearchCallError(`GET ${path}`, 'timeout', 'no whole answer within 15000 ms');
    });
    assert.ok(outcome.ok && outcome.collected !== null);
    const { body, unavailable } = outcome.collected;
    assert.deepEqual(body, {
      ...body,
      status: 'red',
      unassigned_shards: 4,
      master_node: null,
      unassigned_primaries: null,
    });
    const reasons = new Map(unavailable.map(({ field, reason }) => [field, reason]));
    assert.match(reasons.get('master_node') ?? '', /elected master could not be read/);
    assert.match(reasons.get('unassigned_primaries') ?? '', /could not be read/);
  });

  it('is not reported if a later call of the section refuses the credentials', async () => {
    const outcome = await collectFrom(healthCollector, (path) =>
      path.startsWith('/_cluster/health?master') ? answered(200, health) : answered(401, {}),
    );
    assert.ok(!outcome.ok);
    assert.equal(outcome.failure.kind, 'unauthorized');
  });

  it('needs no call for the shards of red indices if it gives the number of unassigned primaries itself', async () => {
    const asked: string[] = [];
    const outcome = await collectFrom(healthCollector, (path) => {
      asked.push(path.split('?')[0] ?? '');
      return answered(200, path.startsWith('/_cat') ? [] : { ...health, unassigned_primary_shards: 2 });
    });
    assert.ok(outcome.ok && outcome.collected !== null);
    assert.equal((outcome.collected.body as HealthSection).unassigned_primaries, 2);
    assert.deepEqual(asked, ['/_cluster/health', '/_cat/master', '/_cluster/health']);
  });

  it('names the indices that lack shards, in the answer that its counts are from', async () => {
    const index = (primaries: number, unassigned: number, initializing = 0) => ({
      status: primaries > 0 ? 'red' : 'yellow',
      number_of_shards: 3,
      active_primary_shards: 3 - primaries,
      unassigned_shards: unassigned,
      initializing_shards: initializing,
    });
    const outcome = await collectFrom(healthCollector, (path) => {
      if (!path.startsWith('/_cluster/health?level=indices')) return answered(200, health);
      return answered(200, {
        ...health,
        unassigned_shards: 6,
        indices: {
          well: { ...index(0, 0), status: 'green' },
          orders: index(1, 3),
          logs: index(2, 2),
          books: index(0, 1),
          new: index(0, 0, 2),
        },
      });
    });
    assert.ok(outcome.ok && outcome.collected !== null);
    const body = outcome.collected.body as HealthSection;
    assert.deepEqual(body.affected_indices, [
      { index: 'logs', unassigned_shards: 2, unassigned_primaries: 2, initializing_shards: 0 },
      { index: 'orders', unassigned_shards: 3, unassigned_primaries: 1, initializing_shards: 0 },
      { index: 'books', unassigned_shards: 1, unassigned_primaries: 0, initializing_shards: 0 },
      { index: 'new', unassigned_shards: 0, unassigned_primaries: 0, initializing_shards: 2 },
    ]);
    const { indices_lacking_primaries, indices_lacking_replicas, indices_recovering } = body;
    assert.deepEqual([indices_lacking_primaries, indices_lacking_replicas, indices_recovering], [2, 2, 1]);
    assert.deepEqual([body.unassigned_shards, body.unassigned_primaries], [6, 3]);
  });

  it('counts each starting primary once, also in indices whose names have a percent sign', async () => {
    const name = '%{[@metadata][beat]}-2026.11.22';
    const shards = { 0: { primary_active: false, initializing_shards: 1 } };
    const outcome = await collectFrom(healthCollector, (path) => {
      if (path.startsWith('/_cluster/health?master')) return answered(200, health);
      if (path.startsWith('/_cluster/health?')) {
        const red = { status: 'red', primary_shards: 1 };
        return answered(200, {
          indices: {
            [name]: { ...red, number_of_shards: 3, active_primary_shards: 0, initializing_shards: 1 },
            lost: { ...red, number_of_shards: 1, active_primary_shards: 0, initializing_shards: 0 },
          },
        });
      }
      if (!path.startsWith('/_cluster/health/')) return answered(200, []);
      assert.notEqual(allowedCall('GET', path), undefined, path);
      return answered(200, { indices: { [name]: { shards }, 'metricbeat-2026.11.22': { shards } } });
    });
    assert.ok(outcome.ok && outcome.collected !== null);
    assert.equal((outcome.collected.body as HealthSection).unassigned_primaries, 3);
  });
});
