import assert from 'node:assert/strict';
import { slowOperationsDataset } from '../../../../http-edge/agent-batches/slow-operations-dataset.js';
import type { SlowOperation } from '../../../../schemas/generated/slow-operation.js';
import { jsonCodec } from '../../../support/json-codec.js';

const item = {
  id: '0123456789abcdef0123456789abcdef',
  cluster_uuid: 'yxJ7JPe1R36RdP91p5U7EQ',
  at: 1_763_708_898_601_000,
  kind: 'search',
  phase: 'query',
  level: 'warn',
  index: 'orders',
  took_ms: 12.5,
};
const dataset = slowOperationsDataset(jsonCodec<SlowOperation>());

describe('slow operations of agents', () => {
  it('become one record each, keyed by the cluster, with their workspace and their arrival', () => {
    const parsed = dataset.parse(item, item.at);
    assert.ok('item' in parsed);
    const context = { workspace: 'acme', keyId: 'k1', receivedAt: item.at + 5 };
    const [record] = [...dataset.records(parsed.item, context)];
    assert.equal(record?.topic, 'clusters.slow-operations');
    assert.equal(record.key, item.cluster_uuid);
    const value = JSON.parse(record.value?.toString() ?? '') as SlowOperation;
    assert.equal(value.workspace, 'acme');
    assert.equal(value.received_at, item.at + 5);
    assert.equal(value.query, null);
  });

  it('are refused if their time is outside of what a table keeps, and accepted from any time zone', () => {
    const day = 86_400_000_000;
    for (const [days, wrong] of [
      [401, /^at: .*400 days/],
      [-3, /^at: .*in the future/],
    ] as const) {
      const parsed = dataset.parse(item, item.at + days * day);
      assert.match('reason' in parsed ? parsed.reason : '', wrong);
    }
    for (const days of [399, -1]) assert.ok('item' in dataset.parse(item, item.at + days * day));
  });

  it('are refused one by one, with the field', () => {
    assert.deepEqual(dataset.parse({ ...item, phase: 'merge' }, item.at), {
      reason: 'phase: Invalid option: expected one of "query"|"fetch"|"index"',
    });
  });
});
