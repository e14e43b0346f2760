// What `npm test` says last: of a long log the end is often all that is kept.

/** What a mocha run leaves that came to nothing. */
export const nothing = { passes: 0, failures: 0, shaky: [], failed: [], files: [] };

/**
 * The lines that end a run, of what bin/mocha-reporter.cjs wrote for each mocha run and the names of the checks that
 * failed. A check that is not a test counts as one failure, and so does a flake that was one before.
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
