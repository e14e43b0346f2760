// Mocha's usual report. Also writes a file with what `npm test` prints at the end of all mocha runs, because
// often only the end of a long log is kept: the totals; each test that passed only at a later try, with the
// reason for its first failure (such a test is also a defect); and each test that failed, with the reasons at
// the first and the last try, because leftovers of the first try can make the next one fail.
const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');
const { reporters } = require('mocha');
const { treeSeconds } = require('./tree-time.cjs');

module.exports = class SpecWithTotals extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const firstFailures = new Map();
    const shaky = [];
    const files = durationsOf(runner);
    runner.on('retry', (test, error) => {
      if (!firstFailures.has(test.fullTitle())) firstFailures.set(test.fullTitle(), { test, error });
    });
    runner.on('pass', (test) => {
      const first = firstFailures.get(test.fullTitle());
      if (first !== undefined) shaky.push(inWords(first.test, first.error, 12));
    });
    runner.once('end', () => {
      const failed = this.failures.map((test) => {
        const first = firstFailures.get(test.fullTitle());
        const last = inWords(test, test.err, 4);
        return first === undefined
          ? last
          : [last, '    at the first try:', ...reasonOf(first.error, 8)].join('\n');
      });
      const { passes, failures } = this.stats;
      writeFileSync(
        options.reporterOptions.totals,
        JSON.stringify({ passes, failures, shaky, failed, files: files() }),
      );
    });
  }
};

/** Wall clock and processor time of each file, with its hooks and the servers that it started first. */
function durationsOf(runner) {
  const took = new Map();
  let at = { file: '(loading)', wall: performance.now() / 1_000 - process.uptime(), cpu: 0 };
  const change = (file) => {
    if (file === at.file) return;
    const now = { file, wall: performance.now() / 1_000, cpu: treeSeconds() ?? 0 };
    const before = took.get(at.file) ?? { wall: 0, cpu: 0 };
    took.set(at.file, {
      wall: before.wall + now.wall - at.wall,
      cpu: before.cpu + now.cpu - at.cpu,
    });
    at = now;
  };
  runner.on('suite', (suite) => {
    if (suite.file !== undefined) change(relative('', suite.file));
  });
  return () => {
    change('(ending)');
    return [...took].map(([file, { wall, cpu }]) => ({ file, wall, cpu }));
  };
}

function inWords(test, error, lines) {
  return [`  ${test.fullTitle()} (${test.file ?? 'no file'})`, ...reasonOf(error, lines)].join('\n');
}

function reasonOf(error, lines) {
  const reason = String(error?.stack ?? error?.message ?? error);
  return reason
    .split('\n')
    .slice(0, lines)
    .map((line) => `    ${line.slice(0, 300)}`);
}
