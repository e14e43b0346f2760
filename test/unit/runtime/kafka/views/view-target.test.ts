import assert from 'node:assert/strict';
import { MemoryTarget } from '../../../../../runtime/kafka/views/view-target.js';

describe('a small compacted topic in memory', () => {
  it('forgets old entries before the topic does', async () => {
    const target = new MemoryTarget<number>();
    const changes = [1, 2, 3].map((value) => ({ key: String(value), value, offset: 0 }));
    await target.apply(changes);
    target.forget((value) => value < 3);
    assert.deepEqual([target.all(), target.get('1')], [[3], undefined]);
  });
});
