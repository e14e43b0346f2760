import assert from 'node:assert/strict';
import fc from 'fast-check';
import { digestOf, idempotentIds } from '../../../../http-edge/scoring/idempotency.js';
import { Problem } from '../../../../runtime/http/problem.js';

const noon = Date.UTC(2026, 0, 15, 12);
const day = 86_400_000;
const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 255,
});

describe('task ids under an Idempotency-Key', () => {
  it('are UUIDs of version 8', () => {
    fc.assert(
      fc.property(visible, (key) => {
        const { taskId } = idempotentIds('acme', key, noon);
        assert.match(taskId, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      }),
    );
  });

  it("stay the same throughout a UTC day, and come with the previous day's", () => {
    const today = idempotentIds('acme', 'order-7', noon);
    assert.deepEqual(idempotentIds('acme', 'order-7', noon + day / 2 - 1), today);
    assert.equal(idempotentIds('acme', 'order-7', noon + day / 2).previousTaskId, today.taskId);
  });

  it('differ by workspace and by key, even if the two concatenated are the same text', () => {
    fc.assert(
      fc.property(visible, visible, (one, other) => {
        fc.pre(one !== other);
        assert.notEqual(idempotentIds('w', one, noon).taskId, idempotentIds('w', other, noon).taskId);
        assert.notEqual(idempotentIds(one, 'k', noon).taskId, idempotentIds(other, 'k', noon).taskId);
      }),
    );
    assert.notEqual(idempotentIds('ab', 'c', noon).taskId, idempotentIds('a', 'bc', noon).taskId);
  });

  for (const [name, key] of [
    ['empty', ''],
    ['with a space', 'a b'],
    ['too long', 'x'.repeat(256)],
    ['not ASCII', 'é'],
  ] as const)
    it(`refuse a key that is ${name}`, () => {
      assert.throws(
        () => idempotentIds('acme', key, noon),
        (error) => error instanceof Problem && error.status === 400,
      );
    });
});

describe('the digest of a body', () => {
  it('tells metric, prompt and response apart', () => {
    const texts = { prompt: 'a', response: null };
    const digests = new Set([
      digestOf('text_metrics', texts),
      digestOf('text_topic', texts),
      digestOf('text_metrics', { prompt: 'a', response: '' }),
      digestOf('text_metrics', { prompt: 'b', response: null }),
    ]);
    assert.equal(digests.size, 4);
    assert.equal(digestOf('text_metrics', { ...texts }), digestOf('text_metrics', texts));
  });
});
