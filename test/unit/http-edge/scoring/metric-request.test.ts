import assert from 'node:assert/strict';
import fc from 'fast-check';
import { textsOf } from '../../../../http-edge/scoring/metric-request.js';
import { Problem } from '../../../../runtime/http/problem.js';
import { isLongerThan } from '../../../../schemas/text-length.js';

const limit = 10;

function problemOf(body: unknown, response: 'required' | 'optional' | 'echoed' = 'echoed'): Problem {
  try {
    textsOf(body, response, limit);
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error;
  }
  throw new Error('the body was taken');
}

const pointersOf = (problem: Problem): readonly string[] =>
  (problem.errors ?? []).map(({ pointer }) => pointer);

describe('a metric request', () => {
  it('keeps prompt and response, and ignores other fields', () => {
    const body = { prompt: 'a', response: 'b', extra: { deep: [1] }, __proto__: { prompt: 'x' } };
    assert.deepEqual(textsOf(body, 'echoed', limit), { prompt: 'a', response: 'b' });
  });

  it('counts a null response as absent', () => {
    assert.deepEqual(textsOf({ prompt: 'a', response: null }, 'optional', limit), {
      prompt: 'a',
      response: null,
    });
    assert.deepEqual(pointersOf(problemOf({ prompt: 'a', response: null }, 'required')), ['/response']);
  });

  it('takes a prompt of spaces, and one with NUL', () => {
    assert.equal(textsOf({ prompt: ' ' }, 'echoed', limit).prompt, ' ');
    assert.equal(textsOf({ prompt: 'a\0b' }, 'echoed', limit).prompt, 'a\0b');
  });

  it('names every field that is wrong, and how to fix it', () => {
    const problem = problemOf({ prompt: 7, response: [] }, 'required');
    assert.equal(problem.status, 422);
    assert.deepEqual(pointersOf(problem), ['/prompt', '/response']);
    assert.match(problem.message, /`prompt` must be a string, not a number/);
    assert.match(problem.message, /`response` must be a string, not an array/);
  });

  for (const body of [null, [], 'text', 3, true])
    it(`refuses ${JSON.stringify(body)} in place of an object`, () => {
      assert.deepEqual(pointersOf(problemOf(body)), ['']);
    });

  it('ignores a prompt in the prototype', () => {
    const body: unknown = JSON.parse('{"__proto__":{"prompt":"x"}}');
    assert.deepEqual(pointersOf(problemOf(body)), ['/prompt']);
  });

  it('replaces a lone surrogate', () => {
    assert.equal(textsOf({ prompt: 'a\ud800' }, 'echoed', limit).prompt, 'a\ufffd');
  });

  it('counts characters in code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        assert.equal(isLongerThan(text, limit), Array.from(text).length > limit);
      }),
    );
    assert.deepEqual(pointersOf(problemOf({ prompt: '😀'.repeat(11) })), ['/prompt']);
    assert.equal(textsOf({ prompt: '😀'.repeat(10) }, 'echoed', limit).prompt.length, 20);
  });
});
