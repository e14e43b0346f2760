import assert from 'node:assert/strict';
import { eventsOfScore, type ScoreChange } from '../../../../../http-edge/clusters/read/timeline-events.js';

const at = Date.UTC(2026, 0, 2, 3, 1);
const change = (of: Partial<ScoreChange>): ScoreChange => ({
  ...{ at, before: at - 60_000, status: 'green', statusBefore: 'green', codes: [], codesBefore: [] },
  ...{ reasons: [], missing: [], missingReasons: [], ...of },
});

describe('the events between two scores of a cluster', () => {
  it('are changes of colour, and rules that start to apply, with their reason', () => {
    const red = { status: 'red', codes: ['primaries_unassigned'], reasons: ['A disk is full.'] };
    assert.deepEqual(
      eventsOfScore(change(red)).map(({ what, name, after, reason }) => [what, name, after, reason]),
      [
        ['status_changed', null, 'red', null],
        ['rule_began', 'primaries_unassigned', null, 'A disk is full.'],
      ],
    );
  });

  it('are rules that cease to apply', () => {
    const [ended, ...more] = eventsOfScore(change({ codesBefore: ['disk_low'] }));
    assert.deepEqual([ended?.what, ended?.name, more], ['rule_ended', 'disk_low', []]);
  });

  it('do not report a rule as ended if it might not have been evaluated', () => {
    const blind = { codesBefore: ['disk_low'], missing: ['disks'], missingReasons: ['not collected'] };
    const [unseen] = eventsOfScore(change(blind));
    assert.equal(unseen?.what, 'rule_not_seen');
    assert.deepEqual(unseen.not_measured, [{ what: 'disks', reason: 'not collected' }]);
  });

  it('include the time without a score', () => {
    const [gap, ...more] = eventsOfScore(change({ before: at - 1_800_000 }));
    assert.deepEqual([gap?.what, gap?.silent_seconds, more], ['no_score', 1_800, []]);
  });
});
