import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';

interface Result {
  readonly passes: number;
  readonly failures: number;
  readonly shaky: readonly string[];
  readonly failed: readonly string[];
}
type Verdict = (
  results: readonly Result[],
  failedChecks: readonly string[],
) => { readonly isGood: boolean; readonly lines: readonly string[] };

const good: Result = { passes: 3, failures: 0, shaky: [], failed: [] };
const shaky: Result = { ...good, passes: 5, shaky: ['  moon (a.test.js)'] };
const bad: Result = { passes: 1, failures: 2, shaky: [], failed: ['  one (b.test.js)', '  two (b.test.js)'] };

describe('the end of npm test', () => {
  let verdict: Verdict;
  before(async () => {
    ({ verdict } = (await import(pathToFileURL('bin/verdict.mjs').href)) as { verdict: Verdict });
  });

  it('adds up all runs in one last line', () => {
    assert.deepEqual(verdict([good, good], []), { isGood: true, lines: ['6 passed, 0 failed'] });
  });

  it('repeats the names of the shaky and the failed tests of all runs', () => {
    assert.deepEqual(verdict([bad, shaky, good], []), {
      isGood: false,
      lines: [
        'telltale: 1 passed only at the second try:',
        '  moon (a.test.js)',
        'telltale: 2 failed:',
        '  one (b.test.js)',
        '  two (b.test.js)',
        '9 passed, 2 failed',
      ],
    });
  });

  it('counts a failed check even if no test failed', () => {
    assert.deepEqual(verdict([good], ['lint', 'types']), {
      isGood: false,
      lines: ['telltale: failed: lint', 'telltale: failed: types', '3 passed, 2 failed'],
    });
  });
});
