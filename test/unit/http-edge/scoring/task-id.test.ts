import assert from 'node:assert/strict';
import { timeOrderedId } from '../../../../http-edge/scoring/task-id.js';

describe('a task id', () => {
  it('is a UUID of version 7', () => {
    assert.match(timeOrderedId(), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('is unlike any other', () => {
    assert.equal(new Set(Array.from({ length: 10_000 }, () => timeOrderedId(1_000))).size, 10_000);
  });

  it('comes after those of earlier milliseconds', () => {
    const start = Date.UTC(2026, 0, 1);
    const ids = Array.from({ length: 500 }, (_, index) => timeOrderedId(start + index * 977));
    assert.deepEqual(ids.toSorted(), ids);
  });
});
