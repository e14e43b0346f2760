import assert from 'node:assert/strict';
import type { ShardToExplain } from '../../../../../agent/collectors/client-port.js';
import { newClusterMemory } from '../../../../../agent/collectors/cluster-memory.js';
import { allocationExplainCollector } from '../../../../../agent/collectors/sections/allocation-explain.js';
import { shardsCollector } from '../../../../../agent/collectors/sections/shards.js';
import { answered, collectFrom } from '../../../../support/stub-collection.js';

const explained = (shard: ShardToExplain | undefined) =>
  answered(200, { ...shard, current_state: 'unassigned', can_allocate: 'no' });

describe('the explanations of unassigned shards', () => {
  it('are sent at once where another index lost a shard, though its listing has explained it already', async () => {
    const memory = newClusterMemory();
    const list = (index: string) =>
      collectFrom(
        shardsCollector,
        () => answered(200, [{ i: index, s: '0', p: 'r', st: 'UNASSIGNED', ur: 'NODE_LEFT' }]),
        memory,
        explained,
      );
    /** The indices whose shards are explained; null where nothing is sent. */
    const sent = async (): Promise<readonly (string | null)[] | null> => {
      const never = () => answered(500, {});
      const outcome = await collectFrom(allocationExplainCollector, never, memory, explained);
      assert.ok(outcome.ok);
      const body = outcome.collected?.body as { explanations: { index: string | null }[] } | undefined;
      return body?.explanations.map(({ index }) => index) ?? null;
    };
    memory.unassigned = 1;
    await list('first');
    assert.deepEqual(await sent(), ['first']);
    assert.equal(await sent(), null);
    await list('second');
    assert.deepEqual(await sent(), ['second']);
    await list('second');
    assert.equal(await sent(), null);
  });

  it('are asked for anew once the shard that was explained is unassigned since another moment', async () => {
    const memory = newClusterMemory();
    /** When the explained shard became unassigned, as it is said with a listing in which it did so at this time. */
    const listedAt = async (at: string): Promise<readonly (number | null)[]> => {
      const outcome = await collectFrom(
        shardsCollector,
        () => answered(200, [{ i: 'remade', s: '0', p: 'p', st: 'UNASSIGNED', ur: 'INDEX_CREATED', ua: at }]),
        memory,
        (shard) =>
          answered(200, {
            ...shard,
            current_state: 'unassigned',
            can_allocate: 'no',
            unassigned_info: { reason: 'INDEX_CREATED', at },
          }),
      );
      assert.ok(outcome.ok);
      const body = outcome.collected?.body as { explanations: { unassigned_at: number | null }[] };
      return body.explanations.map(({ unassigned_at }) => unassigned_at);
    };
    const [before, after] = ['2026-11-22T10:00:00.000Z', '2026-11-22T10:00:30.000Z'];
    assert.deepEqual(await listedAt(before), [Date.parse(before)]);
    assert.deepEqual(await listedAt(after), [Date.parse(after)]);
  });
});
