import assert from 'node:assert/strict';
import { FairRoom } from '../../../../runtime/http/fair-room.js';
import { GrowingBuffer } from '../../../../runtime/http/growing-buffer.js';

describe('room that requests share', () => {
  it('gives one owner half of it, and leaves room for whoever comes next', () => {
    const room = new FairRoom(() => 1_200);
    assert.ok(room.take(600, 'a'));
    assert.ok(!room.take(1, 'a'));
    assert.ok(room.take(300, 'b'));
    assert.ok(!room.take(1, 'b'));
    assert.ok(room.take(150, 'c'));
    room.give(600, 'a');
    assert.ok(room.take(150, 'b'));
  });

  it('leaves a third to other groups, however many owners one has', () => {
    const room = new FairRoom(() => 1_200);
    const owners = Array.from({ length: 100 }, (_, at) => `key-${at}`);
    let held = 0;
    for (const owner of owners) while (room.take(10, owner, 'noisy')) held += 10;
    assert.equal(held, 800);
    assert.ok(room.take(200, 'key', 'quiet'));
    for (let given = 0; given < 500; given += 10) room.give(10, 'key-0', 'noisy');
    assert.ok(room.take(100, 'key-99', 'noisy'));
  });

  it('is given whole to requests without an owner', () => {
    const room = new FairRoom(() => 10);
    assert.ok(room.take(10));
    assert.ok(!room.take(1));
    room.give(4);
    assert.ok(room.take(4));
  });
});

describe('a growing buffer', () => {
  it('holds what was added, whatever it has grown to', () => {
    const pieces = Array.from({ length: 250 }, (_, at) => Buffer.alloc(4, at));
    for (const most of [0, 100, 1_000, 5_000]) {
      const buffer = new GrowingBuffer(most);
      for (const piece of pieces) buffer.add(piece);
      assert.deepEqual(buffer.whole(), Buffer.concat(pieces));
    }
  });
});
