import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  admit,
  closedBreaker,
  settle,
  type AttemptVerdict,
  type BreakerState,
} from '../../../../runtime/language-model/circuit-breaker.js';

const options = { failures: 3, openMs: 1_000, maxOpenMs: 4_000 };
const failed: AttemptVerdict = { kind: 'failed', cause: 'status 500' };
const answered: AttemptVerdict = { kind: 'answered' };

function after(state: BreakerState, nowMs: number, ...verdicts: readonly AttemptVerdict[]): BreakerState {
  return verdicts.reduce((at, verdict) => settle(at, at.generation, verdict, nowMs, options), state);
}

function trial(state: BreakerState, nowMs: number): BreakerState {
  const admission = admit(state, nowMs);
  assert.ok(admission.admitted);
  return admission.state;
}

describe('circuit breaker', () => {
  it('stays closed while failures are not in a row', () => {
    const state = after(closedBreaker, 0, failed, failed, answered, failed, failed);
    assert.equal(state.kind, 'closed');
  });

  it('opens after so many failures in a row, with the last cause', () => {
    const state = after(closedBreaker, 0, failed, failed, { kind: 'failed', cause: 'cut' });
    assert.deepEqual(admit(state, 999), { admitted: false, retryAtMs: 1_000, cause: 'cut' });
  });

  it('lets one trial through when its time has passed, and no second one during that', () => {
    const open = after(closedBreaker, 0, failed, failed, failed);
    const halfOpen = trial(open, 1_000);
    assert.equal(halfOpen.kind, 'half-open');
    assert.equal(admit(halfOpen, 1_001).admitted, false);
  });

  it('closes when the trial is answered', () => {
    const halfOpen = trial(after(closedBreaker, 0, failed, failed, failed), 1_000);
    assert.equal(after(halfOpen, 1_100, answered).kind, 'closed');
  });

  it('opens again for twice as long when the trial fails, up to the cap', () => {
    let state = after(closedBreaker, 0, failed, failed, failed);
    const waits: number[] = [];
    let now = 0;
    for (let round = 0; round < 4; round += 1) {
      assert.ok(state.kind === 'open');
      waits.push(state.untilMs - now);
      now = state.untilMs;
      state = after(trial(state, now), now, failed);
    }
    assert.deepEqual(waits, [1_000, 2_000, 4_000, 4_000]);
  });

  it('lets the next trial through at once when one ended without a verdict', () => {
    const halfOpen = trial(after(closedBreaker, 0, failed, failed, failed), 1_000);
    assert.ok(admit(after(halfOpen, 1_010, { kind: 'unknown' }), 1_010).admitted);
  });

  it('closes when a slow trial is answered, even after others were let through', () => {
    const first = trial(after(closedBreaker, 0, failed, failed, failed), 1_000);
    const second = trial(first, 2_000);
    assert.equal(settle(second, first.generation, answered, 2_500, options).kind, 'closed');
  });

  it('ignores outcomes of attempts that started before it opened', () => {
    const open = after(closedBreaker, 0, failed, failed, failed);
    const halfOpen = trial(open, 1_000);
    assert.equal(settle(halfOpen, closedBreaker.generation, answered, 1_001, options), halfOpen);
    assert.equal(settle(open, closedBreaker.generation, answered, 1, options), open);
  });

  it('never blocks forever: whatever happened, a trial is let through after the longest pause', () => {
    const verdict = fc.constantFrom<AttemptVerdict>(failed, answered, { kind: 'unknown' });
    fc.assert(
      fc.property(fc.array(fc.tuple(verdict, fc.integer({ min: 0, max: 3_000 }))), (steps) => {
        let state = closedBreaker;
        let now = 0;
        for (const [outcome, passed] of steps) {
          now += passed;
          const admission = admit(state, now);
          if (!admission.admitted) continue;
          state = settle(admission.state, admission.generation, outcome, now, options);
        }
        assert.ok(admit(state, now + options.maxOpenMs).admitted);
      }),
    );
  });
});
