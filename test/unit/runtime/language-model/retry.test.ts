import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pauseAfter, retryAfterMs } from '../../../../runtime/language-model/retry.js';

describe('pauses between attempts', () => {
  const options = { baseMs: 100, capMs: 1_000 };

  it('are drawn between zero and a bound that doubles up to the cap', () => {
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5, 1_000].map((attempt) => pauseAfter(attempt, options, 1)),
      [100, 200, 400, 800, 1_000, 1_000, 1_000],
    );
    assert.equal(pauseAfter(3, options, 0), 0);
  });

  it('are never negative, endless or over the cap', () => {
    fc.assert(
      fc.property(fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        const pause = pauseAfter(attempt, options, random);
        assert.ok(pause >= 0 && pause <= options.capMs);
      }),
    );
  });
});

describe('Retry-After', () => {
  const now = Date.parse('Sat, 21 Nov 2026 10:00:00 GMT');

  it('is understood in seconds', () => {
    assert.equal(retryAfterMs('7', now), 7_000);
    assert.equal(retryAfterMs(' 0 ', now), 0);
    assert.equal(retryAfterMs('0.5', now), 500);
  });

  it('is understood as a date, in all three forms of HTTP', () => {
    assert.equal(retryAfterMs('Sat, 21 Nov 2026 10:00:09 GMT', now), 9_000);
    assert.equal(retryAfterMs('Saturday, 21-Nov-26 10:00:09 GMT', now), 9_000);
    assert.equal(retryAfterMs('Sat Nov 21 10:00:09 2026 GMT', now), 9_000);
  });

  it('asks for nothing when its date has passed', () => {
    assert.equal(retryAfterMs('Sat, 21 Nov 2026 09:00:00 GMT', now), 0);
  });

  it('is ignored when it is neither seconds nor a date', () => {
    for (const text of ['', 'soon', '-1', '1e9', 'Sat, nonsense', '99999999999', null, undefined]) {
      assert.equal(retryAfterMs(text, now), undefined, String(text));
    }
  });
});
