import assert from 'node:assert/strict';
import { newClusterMemory } from '../../../../../agent/collectors/cluster-memory.js';
import { shardsCollector } from '../../../../../agent/collectors/sections/shards.js';
import { answered, collectFrom } from '../../../../support/stub-collection.js';

const shard = (index: string) => ({
  i: index,
  s: '0',
  p: 'p',
  st: 'STARTED',
  d: '1',
  sto: '1',
  id: 'n',
  n: 'n',
});

/** The reason why shards have no index UUID; `listed` are the indices of the last listing. */
async function reasonOf(listed: readonly string[], ...indices: readonly string[]) {
  const memory = newClusterMemory();
  memory.indexUuids = new Map(listed.map((index) => [index, `uuid-of-${index}`]));
  const outcome = await collectFrom(shardsCollector, () => answered(200, indices.map(shard)), { memory });
  assert.ok(outcome.ok && outcome.collected !== null);
  return outcome.collected.unavailable.find(({ field }) => field === 'shards.*.index_uuid');
}

describe('the reason why shards have no index UUID', () => {
  it('names the indices that no listing has, and what restricted ones need', async () => {
    const absence = await reasonOf(['books'], 'books', '.security-7', '.security-tokens-7');
    assert.equal(absence?.code, 'not_given');
    assert.match(
      absence.reason,
      /lacks \.security-7, \.security-tokens-7: .*allow_restricted_indices\) \(2 of 3\)$/,
    );
  });

  it('names only the first few of many indices', async () => {
    const many = Array.from({ length: 30 }, (_, number) => `new-${number}`);
    const absence = await reasonOf(['books'], ...many);
    assert.match(absence?.reason ?? '', /lacks new-0, new-1, new-2, new-3, new-4 and 25 more: created since/);
  });

  it('is a different one if the indices of the cluster could not be listed at all', async () => {
    const absence = await reasonOf([], 'books');
    assert.match(absence?.reason ?? '', /have not been listed; the section indices says why/);
  });

  it('is not given if the index is listed', async () => {
    assert.equal(await reasonOf(['books'], 'books'), undefined);
  });
});
