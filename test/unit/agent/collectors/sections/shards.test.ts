import assert from 'node:assert/strict';
import { SearchCallError, type SearchAnswer } from '../../../../../agent/collectors/client-port.js';
import { newClusterMemory } from '../../../../../agent/collectors/cluster-memory.js';
import { shardsCollector } from '../../../../../agent/collectors/sections/shards.js';
import type { ShardsSection } from '../../../../../schemas/snapshots/shard-section.js';
import { answered, collectFrom } from '../../../../support/stub-collection.js';

/** Answers as in a mass failure of allocations: with details, more than `bearable` rows are too large. */
function clusterOf(rows: number, bearable: number, calls: string[]): (path: string) => SearchAnswer {
  return (path) => {
    const detailed = /[?&]h=[^&]*\bud\b/.test(path);
    calls.push(detailed ? 'detailed' : 'bare');
    if (detailed && rows > bearable) throw new SearchCallError('GET /_cat/shards', 'too_large', 'too long');
    const row = { i: 'i', p: 'r', st: 'UNASSIGNED', ur: 'ALLOCATION_FAILED', ...(detailed && { ud: 'why' }) };
    return answered(
      200,
      Array.from({ length: rows }, (_, shard) => ({ ...row, s: String(shard) })),
    );
  };
}

async function listed(rows: number, bearable: number, unassigned: number | null) {
  const calls: string[] = [];
  const memory = { ...newClusterMemory(), unassigned };
  const explain = () => answered(400, {});
  const outcome = await collectFrom(shardsCollector, clusterOf(rows, bearable, calls), { memory, explain });
  assert.ok(outcome.ok);
  const { body, unavailable } = outcome.collected as unknown as {
    body: ShardsSection;
    unavailable: readonly { field: string; code: string }[];
  };
  const details = body.shards[0]?.unassigned_details;
  const why = unavailable.find(({ field }) => field === 'shards.*.unassigned_details')?.code;
  return { calls, unassigned: body.unassigned, kept: body.shards.length, details, why };
}

describe('the listing of shards', () => {
  it('fails, rather than listing no shards, if no row has the columns that were asked for', async () => {
    const outcome = await collectFrom(shardsCollector, () => answered(200, [{ other: '1' }, {}]));
    assert.ok(!outcome.ok);
    assert.deepEqual(
      [outcome.failure.kind, outcome.failure.reason],
      ['broken', 'the listing of the shards has none of the columns that were asked for'],
    );
    const none = await collectFrom(shardsCollector, () => answered(200, []));
    assert.ok(none.ok);
  });

  it('has the details that the cluster gives of each unassigned shard', async () => {
    assert.deepEqual(await listed(3, 10, 3), {
      calls: ['detailed'],
      unassigned: 3,
      kept: 3,
      details: 'why',
      why: undefined,
    });
  });

  it('omits these details if they make the answer too long, and says so', async () => {
    const bare = { unassigned: 900, kept: 900, details: null, why: 'cut' };
    assert.deepEqual(await listed(900, 800, null), { ...bare, calls: ['detailed', 'bare'] });
  });

  it('does not ask for these details if more than 1,000 shards are unassigned', async () => {
    const bare = { unassigned: 5_000, kept: 2_000, details: null, why: 'cut' };
    assert.deepEqual(await listed(5_000, 4_000, 5_000), { ...bare, calls: ['bare'] });
  });
});
