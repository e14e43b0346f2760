import assert from 'node:assert/strict';
import { itemsOf } from '../../../../agent/collectors/items.js';
import { largestBodyBytes, mostParts } from '../../../../schemas/snapshots.js';

const record = {
  cluster: { uuid: 'u1', name: 'books', version: '8.14.1', major: 8 },
  section: 'shards' as const,
  intervalSeconds: 300,
  id: 'c1',
  reporter: 'host',
  takenAt: 1_795_244_700_000,
  tookMs: 3,
};

/** A body with this many shards, and with these explanations. */
const bodyOf = (shards: number, explanations: readonly string[]): never =>
  ({
    shards_total: shards,
    explanations,
    shards: Array.from({ length: shards }, (_, shard) => ({ index: 'x'.repeat(900), shard })),
  }) as never;

describe('the items of a collection', () => {
  const split = { list: 'shards', most: 1_000, once: 'explanations' };
  const items = (shards: number, explanations: readonly string[]) =>
    itemsOf(record, { body: bodyOf(shards, explanations), partial: false, unavailable: [] }, split).map(
      (item) => ({ ...item, body: item.body as unknown as Record<string, readonly unknown[]> }),
    );

  it('have the long list in pieces, and what belongs to all of it in the first', () => {
    const made = items(2_500, ['a', 'b']);
    assert.ok(made.length >= 3);
    assert.deepEqual(
      made.map(({ body }) => body['explanations']),
      made.map((_, index) => (index === 0 ? ['a', 'b'] : [])),
    );
    assert.equal(
      made.reduce((sum, { body }) => sum + (body['shards']?.length ?? 0), 0),
      2_500,
    );
    assert.deepEqual(
      made.map(({ part, parts }) => [part, parts]),
      made.map((_, index) => [index + 1, made.length]),
    );
  });

  it('are never larger than a body may be', () => {
    for (const { body } of items(2_500, ['x'.repeat(300_000)])) {
      assert.ok(Buffer.byteLength(JSON.stringify(body)) <= largestBodyBytes);
    }
  });

  it('are no more than a snapshot may have, however few entries of the list one item may hold', () => {
    const indices = Array.from({ length: 10_001 }, (_, shard) => ({ shard }));
    const made = itemsOf(
      record,
      { body: { shards: indices } as never, partial: false, unavailable: [] },
      { list: 'shards', most: 1 },
    );
    assert.ok(made.length > 1 && made.length <= mostParts, `${made.length} parts`);
  });
});
