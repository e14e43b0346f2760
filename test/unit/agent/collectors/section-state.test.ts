import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  afterFailure,
  afterSuccess,
  newSectionState,
  randomPhase,
} from '../../../../agent/collectors/section-state.js';

const intervals = fc.constantFrom(60_000, 300_000, 600_000, 900_000);
const share = fc.double({ min: 0, max: 0.999, noNaN: true });

describe('the schedule of a section', () => {
  it("puts the next collection at the section's phase of an interval without one, never into the past", () => {
    fc.assert(
      fc.property(intervals, share, fc.nat(10 ** 9), fc.nat(3_000_000), (intervalMs, random, taken, took) => {
        const rhythm = { intervalMs, phaseMs: randomPhase(intervalMs, () => random), reprobeMs: 1_800_000 };
        const now = { wall: taken + took, elapsed: 5_000 };
        const { dueAt } = afterSuccess(newSectionState(0), now, taken, rhythm, null);
        const dueWall = now.wall + dueAt - now.elapsed;
        assert.ok(dueWall > now.wall);
        assert.ok(Math.floor(dueWall / intervalMs) > Math.floor(taken / intervalMs));
        assert.ok(Math.abs((dueWall % intervalMs) - rhythm.phaseMs) < 1e-3);
        assert.ok(dueWall - now.wall <= 2 * intervalMs);
      }),
    );
  });

  it('retries a forbidden call after long, a busy one after longer each time, and stops trying neither', () => {
    const rhythm = { intervalMs: 60_000, phaseMs: 0, reprobeMs: 1_800_000 };
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('forbidden', 'missing', 'busy', 'broken', 'no_master'), { minLength: 1 }),
        share,
        (kinds, random) => {
          let state = newSectionState(0);
          for (const kind of kinds) {
            const now = { wall: 1_000_000, elapsed: 0 };
            state = afterFailure(state, { kind, reason: 'why' }, now, rhythm, () => random);
            const most = kind === 'forbidden' || kind === 'missing' ? 1.1 * rhythm.reprobeMs : 330_001;
            assert.ok(state.dueAt > 0 && state.dueAt <= most, `${kind}: ${state.dueAt}`);
          }
          assert.equal(state.failures, kinds.length);
        },
      ),
    );
  });

  it('pauses for longer than the interval if the cluster is busy, however long the interval is', () => {
    const waits = (seconds: number): readonly number[] => {
      const rhythm = { intervalMs: seconds * 1_000, phaseMs: 0, reprobeMs: 1_800_000 };
      let state = newSectionState(0);
      return [1, 2, 3, 4].map(() => {
        const now = { wall: 0, elapsed: 0 };
        state = afterFailure(state, { kind: 'busy', reason: '429' }, now, rhythm, () => 0.5);
        return state.dueAt / 1_000;
      });
    };
    assert.deepEqual(waits(60), [120, 240, 300, 300]);
    assert.deepEqual(waits(300), [600, 900, 900, 900]);
    assert.deepEqual(waits(600), [1_200, 1_200, 1_200, 1_200]);
    assert.deepEqual(waits(3_600), [7_200, 7_200, 7_200, 7_200]);
  });
});
