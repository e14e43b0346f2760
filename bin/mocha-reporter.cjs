// Mocha's usual report, then each test that passed only when it was tried again, with why it failed first: such a test is
// a defect too. What failed comes once more at the end, a few lines each: of a long log it is often all that is kept.
// The totals also go to a file, for the last line of `npm test`.
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');

module.exports = class SpecWithTotals extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const firstFailures = new Map();
    const shaky = [];
    runner.on('retry', (test, error) => {
      if (!firstFailures.has(test.fullTitle())) firstFailures.set(test.fullTitle(), { test, error });
    });
    runner.on('pass', (test) => {
      const first = firstFailures.get(test.fullTitle());
      if (first !== undefined) shaky.push(first);
    });
    runner.once('end', () => {
      sayShaky(shaky);
      sayFailed(this.failures);
      const { passes, failures } = this.stats;
      const { totals } = options.reporterOptions ?? {};
      if (totals !== undefined) writeFileSync(totals, JSON.stringify({ passes, failures }));
    });
  }
};

function sayShaky(shaky) {
  if (shaky.length === 0) return;
  console.log(`telltale: ${shaky.length} passed only at the second try:`);
  for (const { test, error } of shaky) say(test, error, 12);
}

function sayFailed(failures) {
  if (failures.length === 0) return;
  console.log(`telltale: ${failures.length} failed:`);
  for (const test of failures) say(test, test.err, 4);
}

function say(test, error, lines) {
  console.log(`  ${test.fullTitle()} (${test.file ?? 'no file'})`);
  const reason = String(error?.stack ?? error?.message ?? error);
  for (const line of reason.split('\n').slice(0, lines)) console.log(`    ${line.slice(0, 300)}`);
}
