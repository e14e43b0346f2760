import assert from 'node:assert/strict';
import {
  SearchCallError,
  type SearchAnswer,
  type ShardToExplain,
} from '../../../../../agent/collectors/client-port.js';
import { newClusterMemory } from '../../../../../agent/collectors/cluster-memory.js';
import { allocationExplainCollector } from '../../../../../agent/collectors/sections/allocation-explain.js';
import { healthCollector } from '../../../../../agent/collectors/sections/health.js';
import { shardsCollector } from '../../../../../agent/collectors/sections/shards.js';
import { answered, collectFrom } from '../../../../support/stub-collection.js';

const explained = (shard: ShardToExplain | undefined) =>
  answered(200, { ...shard, current_state: 'unassigned', can_allocate: 'no' });

describe('the explanations of unassigned shards', () => {
  it('are sent at once if another index lost a shard, even though its listing has already explained it', async () => {
    const memory = newClusterMemory();
    const list = (index: string) =>
      collectFrom(
        shardsCollector,
        () => answered(200, [{ i: index, s: '0', p: 'r', st: 'UNASSIGNED', ur: 'NODE_LEFT' }]),
        { memory, explain: explained },
      );
    /** The indices whose shards are explained; null if nothing is sent. */
    const sent = async (): Promise<readonly (string | null)[] | null> => {
      const never = () => answered(500, {});
      const outcome = await collectFrom(allocationExplainCollector, never, { memory, explain: explained });
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

  it('are asked for again if the shard became unassigned again after it was explained', async () => {
    const memory = newClusterMemory();
    /** The reported time since which the explained shard is unassigned, after a listing with this time. */
    const listedAt = async (at: string): Promise<readonly (number | null)[]> => {
      const outcome = await collectFrom(
        shardsCollector,
        () => answered(200, [{ i: 'remade', s: '0', p: 'p', st: 'UNASSIGNED', ur: 'INDEX_CREATED', ua: at }]),
        {
          memory,
          explain: (shard) =>
            answered(200, {
              ...shard,
              current_state: 'unassigned',
              can_allocate: 'no',
              unassigned_info: { reason: 'INDEX_CREATED', at },
            }),
        },
      );
      assert.ok(outcome.ok);
      const body = outcome.collected?.body as { explanations: { unassigned_at: number | null }[] };
      return body.explanations.map(({ unassigned_at }) => unassigned_at);
    };
    const [before, after] = ['2026-11-22T10:00:00.000Z', '2026-11-22T10:00:30.000Z'];
    assert.deepEqual(await listedAt(before), [Date.parse(before)]);
    assert.deepEqual(await listedAt(after), [Date.parse(after)]);
  });

  it('are not asked for again for five minutes if there is nothing to explain: the other groups get their turn', async () => {
    const gone = { error: { type: 'index_not_found_exception' }, status: 404 };
    const assigned = { error: { type: 'illegal_argument_exception' }, status: 400 };
    const asked: string[] = [];
    const { memory, cycle } = await watching(12, (shard) => {
      const number = asked.push(shard?.index ?? '');
      return number % 2 === 0 ? answered(404, gone) : answered(400, assigned);
    });
    assert.equal(asked.length, 10, 'with their listing');
    memory.explanationsChanged = false;
    memory.lastExplained = { at: 0, unassigned: 12 };
    assert.equal(await cycle(), null, 'there is nothing new to say');
    assert.deepEqual(new Set(asked), new Set(Array.from({ length: 12 }, (_, group) => `i${group}`)));
    await cycle();
    assert.equal(asked.length, 12);
  });

  it('are left out, with the reason, if the cluster or a proxy does not know the call', async () => {
    const method = { error: 'Incorrect HTTP method for uri [/_cluster/allocation/explain]', status: 405 };
    for (const [answer, kind] of [
      [answered(404, '<html>Not here</html>'), 'broken'],
      [answered(405, method), 'missing'],
    ] as const) {
      const { cycle } = await watching(1, () => answer);
      const outcome = await cycle();
      assert.ok(outcome !== null && 'failure' in outcome);
      assert.equal(outcome.failure.kind, kind);
    }
  });

  it('are not asked for while it is unknown whether anything is unassigned', async () => {
    let asked = 0;
    const { memory, cycle } = await watching(1, (shard) => {
      asked += 1;
      return explained(shard);
    });
    assert.equal(asked, 1);
    memory.askedGroups.clear();
    const noMaster = { error: { type: 'master_not_discovered_exception' }, status: 503 };
    await collectFrom(healthCollector, () => answered(503, noMaster), { memory });
    const outcome = await cycle();
    assert.equal(asked, 1);
    assert.ok(outcome !== null && 'unavailable' in outcome);
    assert.deepEqual(
      outcome.unavailable.map(({ field }) => field),
      ['unassigned', 'explanations'],
    );
    const busy = new SearchCallError('GET /_cluster/health', 'timeout', 'no whole answer');
    memory.unassigned = 1;
    await collectFrom(
      healthCollector,
      () => {
        throw busy;
      },
      { memory },
    );
    assert.equal(memory.unassigned, null);
  });
});

/** A cluster in which this many indices lack a shard, listed once. `cycle` collects the section once. */
async function watching(groups: number, explain: (shard: ShardToExplain | undefined) => SearchAnswer) {
  const memory = { ...newClusterMemory(), unassigned: groups };
  const row = { s: '0', p: 'p', st: 'UNASSIGNED', ur: 'NODE_LEFT' };
  const rows = Array.from({ length: groups }, (_, group) => ({ ...row, i: `i${group}` }));
  await collectFrom(shardsCollector, () => answered(200, rows), { memory, explain });
  const cycle = async () => {
    const never = () => answered(500, {});
    const outcome = await collectFrom(allocationExplainCollector, never, { memory, explain });
    return outcome.ok ? outcome.collected : { failure: outcome.failure };
  };
  return { memory, cycle };
}
