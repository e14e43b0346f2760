// The last lines of `npm test`: often only the end of a long log is kept.

/** The result of a mocha run that produced none. */
export const nothing = { passes: 0, failures: 0, shaky: [], failed: [], files: [] };

/**
 * The lines that end a run, from what bin/mocha-reporter.cjs wrote for each mocha run, and the names of
 * failed checks. A check that is not a test counts as one failure, and so does each of the repeated flakes.
 */
export function verdict(results, failedChecks, flakes = []) {
  const sum = (what) => results.reduce((total, result) => total + result[what], 0);
  const failures = sum('failures') + failedChecks.length + flakes.length;
  return {
    isGood: failures === 0,
    lines: [
      ...listed(
        'passed only at the second try',
        results.flatMap(({ shaky }) => shaky),
      ),
      ...listed(
        'failed',
        results.flatMap(({ failed }) => failed),
      ),
      ...listed('passed only at the second try, and not for the first time', flakes),
      ...failedChecks.map((name) => `telltale: failed: ${name}`),
      `${sum('passes')} passed, ${failures} failed`,
    ],
  };
}

function listed(what, tests) {
  return tests.length === 0 ? [] : [`telltale: ${tests.length} ${what}:`, ...tests];
}
