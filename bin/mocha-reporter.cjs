// Mocha's usual report; and to a file what `npm test` says last, when all of its mocha runs are over: the totals, each
// test that passed only when it was tried again, with why it failed first (such a test is a defect too), and each that
// failed, with why at each try, as a second try may fail of what the first has left: of a long log the end is often all
// that is kept.
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

/** What each file took with its hooks, of the clock and of the processors: servers that it started first are in it. */
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
