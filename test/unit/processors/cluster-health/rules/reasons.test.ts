import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { advice } from '../../../../../processors/cluster-health/rules/advice.js';
import { evaluate } from '../../../../../processors/cluster-health/rules/score.js';
import { situation } from '../../../../support/situations.js';
import { reportedSituations } from '../../../../support/reported-situations.js';

const golden = 'test/support/golden/cluster-reasons.txt';

function deductionsOf(name: string) {
  return evaluate(situation(reportedSituations[name])).deductions;
}

describe('the reasons of deductions', () => {
  it('are worded exactly as in the golden file', () => {
    const told = Object.keys(reportedSituations).map((name) =>
      [
        `# ${name}`,
        ...deductionsOf(name).map(({ code, points, reason }) => `${points} ${code}: ${reason}`),
      ].join('\n'),
    );
    assert.equal(`${told.join('\n\n')}\n`, readFileSync(golden, 'utf8'));
  });

  it('cover every code', () => {
    const told = Object.keys(reportedSituations).flatMap((name) =>
      deductionsOf(name).map(({ code }) => code),
    );
    assert.deepEqual([...new Set(told)].toSorted(), Object.keys(advice).toSorted());
  });

  it('are whole sentences, without wrong plurals or missing values', () => {
    for (const name of Object.keys(reportedSituations)) {
      for (const { reason } of deductionsOf(name)) {
        assert.match(reason, /^[A-Z0-9n].*\.$/);
        assert.doesNotMatch(
          reason,
          /\b1 (?:nodes|shards|indices|tasks|documents|times)\b|NaN|undefined|\.\./,
        );
      }
    }
  });
});
