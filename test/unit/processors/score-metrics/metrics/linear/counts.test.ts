import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Counts } from '../../../../../../processors/score-metrics/metrics/linear/counts.js';

describe('counts of buckets', () => {
  it('are those of a map, however many buckets are hit', () => {
    const bucket = fc.nat({ max: 65_535 });
    fc.assert(
      fc.property(fc.array(bucket, { maxLength: 2_000, size: 'max' }), (hits) => {
        const expected = new Map<number, number>();
        const counts = new Counts();
        for (const hit of hits) {
          expected.set(hit, (expected.get(hit) ?? 0) + 1);
          counts.add(hit);
        }
        assert.equal(counts.size, expected.size);
        const at = new Uint32Array(counts.size + 1);
        const values = new Float64Array(counts.size + 1);
        counts.writeUnit(at, values, 1, 7);
        const length = Math.hypot(...Array.from(expected.values(), (times) => Math.log1p(times)));
        for (let index = 1; index <= counts.size; index++) {
          const times = expected.get((at[index] ?? NaN) - 7) ?? NaN;
          assert.ok(Math.abs((values[index] ?? NaN) - Math.log1p(times) / length) < 1e-12);
        }
        assert.equal(new Set(at.subarray(1)).size, expected.size);
      }),
    );
  });
});
