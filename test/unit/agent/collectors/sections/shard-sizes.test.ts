import assert from 'node:assert/strict';
import { shardsCollector } from '../../../../../agent/collectors/sections/shards.js';
import { answered, collectFrom } from '../../../../support/stub-collection.js';

const shard = (number: string, state: string, docs: string | null) => ({
  i: 'books',
  s: number,
  p: 'p',
  st: state,
  d: docs,
  sto: docs,
});

describe('the documents and the size of a shard', () => {
  const reasons = async (...shards: readonly object[]): Promise<readonly string[]> => {
    const outcome = await collectFrom(shardsCollector, () => answered(200, shards), {
      explain: () => answered(400, {}),
    });
    assert.ok(outcome.ok && outcome.collected !== null);
    return outcome.collected.unavailable
      .filter(({ field }) => /docs|store_bytes/.test(field))
      .map(({ field, reason }) => `${field}: ${reason}`);
  };

  it('have a reason if they are null for an open shard', async () => {
    assert.deepEqual(await reasons(shard('0', 'STARTED', null), shard('1', 'STARTED', '7')), [
      'shards.*.docs: the node that holds the shard did not report it (1 of 2)',
      'shards.*.store_bytes: the node that holds the shard did not report it (1 of 2)',
    ]);
  });

  it('need no reason if no node has opened the shard', async () => {
    assert.deepEqual(await reasons(shard('0', 'UNASSIGNED', null), shard('1', 'INITIALIZING', null)), []);
  });
});
