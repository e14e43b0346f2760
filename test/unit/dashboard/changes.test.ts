import assert from 'node:assert/strict';
import { changesOf, type Score } from '../../../dashboard/src/pages/cluster/changes.js';

const longestMs = 150_000;

function score(minute: number, of: Partial<Score> = {}): Score {
  return {
    at: new Date(Date.UTC(2026, 0, 2, 3, minute)).toISOString(),
    ...{ status: 'green', deductions: [], not_measured: [], ...of },
  };
}

const red: Partial<Score> = {
  status: 'red',
  deductions: [{ code: 'primary_unassigned', reason: 'A disk is full.' }],
};

const wordsOf = (history: readonly Score[]): readonly string[] =>
  changesOf(history, longestMs).map(({ at, word }) => `${at.slice(14, 16)} ${word}`);

describe('what happened to a cluster, from its scores', () => {
  it('is colours, and rules that begin and end, newest first, in whatever order scores come', () => {
    const history = [score(0), score(1, red), score(2, red), score(3)];
    const expected = ['03 green', '03 ended', '01 red', '01 began'];
    assert.deepEqual(wordsOf(history), expected);
    assert.deepEqual(wordsOf([...history].reverse()), expected);
  });

  it('takes scores of the same moment in the order in which the API has them, the newer one first', () => {
    assert.deepEqual(wordsOf([score(2, red), score(1, red), score(1), score(0)]), ['01 red', '01 began']);
  });

  it('is nothing where scores say the same, or there is only one', () => {
    assert.deepEqual(wordsOf([score(0, red), score(1, red)]), []);
    assert.deepEqual(wordsOf([score(0, red)]), []);
  });

  it('has the time in which there was no score', () => {
    const [gap, ...more] = changesOf([score(0), score(30)], longestMs);
    assert.deepEqual([gap?.word, gap?.status, more], ['gap', 'unknown', []]);
    assert.match(gap?.text ?? '', /30 min/);
  });

  it('does not call a rule ended that may not have been evaluated', () => {
    const blind = score(1, {
      not_measured: [{ what: 'shards', reason: 'the privilege monitor is missing' }],
    });
    const found = changesOf([score(0, { ...red, status: 'green' }), blind], longestMs);
    assert.deepEqual(
      found.map(({ word, status }) => [word, status]),
      [['not seen', 'unknown']],
    );
    assert.match(found[0]?.text ?? '', /primary_unassigned/);
    assert.deepEqual(found[0]?.missing, blind.not_measured);
  });
});
