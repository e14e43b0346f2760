import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Problem } from '../../../../runtime/http/problem.js';
import { RateLimit } from '../../../../http-edge/http/rate-limit.js';

function refusalOf(limit: RateLimit, key: string): Problem | undefined {
  try {
    limit.take(key);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error;
  }
}

describe('the rate limit of a key', () => {
  it('lets a burst through, then refuses with the time to wait, then goes on', () => {
    let now = 0;
    const limit = new RateLimit({ perSecond: 2, burst: 3, clock: () => now });
    for (let count = 0; count < 3; count += 1) assert.equal(refusalOf(limit, 'a'), undefined);
    const refusal = refusalOf(limit, 'a');
    assert.equal(refusal?.status, 429);
    assert.equal(refusal.headers[refusal.headers.indexOf('retry-after') + 1], '1');
    assert.equal(refusal.headers[refusal.headers.indexOf('ratelimit-remaining') + 1], '0');
    now += 500;
    assert.equal(refusalOf(limit, 'a'), undefined);
    assert.notEqual(refusalOf(limit, 'a'), undefined);
  });

  it('counts each key by itself', () => {
    const limit = new RateLimit({ perSecond: 1, burst: 1, clock: () => 0 });
    assert.equal(refusalOf(limit, 'a'), undefined);
    assert.equal(refusalOf(limit, 'b'), undefined);
    assert.notEqual(refusalOf(limit, 'a'), undefined);
  });

  it('remembers a key that has used up its rate, however many others come', () => {
    const limit = new RateLimit({ perSecond: 1, burst: 1, clock: () => 0 });
    limit.take('a');
    for (let other = 0; other < 25_000; other += 1) limit.take(`session:${other}`);
    assert.notEqual(refusalOf(limit, 'a'), undefined);
  });

  it('refuses more until what was spent in advance has been paid off', () => {
    let now = 0;
    const limit = new RateLimit({ perSecond: 2, burst: 3, clock: () => now });
    const headers = limit.spend('a', 7);
    assert.equal(headers[headers.indexOf('ratelimit-remaining') + 1], '0');
    assert.equal(headers[headers.indexOf('ratelimit-reset') + 1], '4');
    now += 2_000;
    assert.equal(refusalOf(limit, 'a')?.status, 429);
    now += 500;
    assert.equal(refusalOf(limit, 'a'), undefined);
  });

  it('never lets more through than burst and time allow, also when the clock steps back', () => {
    const steps = fc.array(fc.integer({ min: -200, max: 400 }), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (advances) => {
        let now = 0;
        let gone = 0;
        let taken = 0;
        const limit = new RateLimit({ perSecond: 5, burst: 4, clock: () => now });
        for (const advance of advances) {
          now += advance;
          gone += Math.max(0, advance);
          if (refusalOf(limit, 'a') === undefined) taken += 1;
        }
        assert.ok(taken <= 4 + (gone / 1_000) * 5 + 1e-6);
      }),
    );
  });
});
