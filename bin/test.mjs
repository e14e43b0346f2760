// `npm test`: every check there is, on a fresh clone too. Arguments go to mocha (`npm test -- --grep status`).
// The last line is `N passed, N failed`; a check that is not a test counts as one failure where it fails.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checks } from './checks.mjs';
import { endAll, openLane } from './lane.mjs';
import { installDependencies, requireNode, say } from './prepare.mjs';
import { nothing, verdict } from './verdict.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
requireNode();
const wanted = process.argv.slice(2);
if (wanted.some((argument) => /\.test\.[jt]s$/.test(argument))) {
  say('it runs every file; for one alone: npm run test:one -- test/…/name.test.ts');
  process.exit(2);
}
installDependencies();

/** In a process of its own, as it waits for the compiler. */
const buildAlone = "import { build } from './bin/prepare.mjs'; process.exitCode = build() ? 0 : 1";

const folder = mkdtempSync(join(tmpdir(), 'telltale-test-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
// Tests with servers mostly wait for them: so there are two such runs, each with servers of its own, which take about as
// long; and one of what only computes. Only the first can be read as it goes.
const servers = openLane('servers');
const killing = openLane('killing', { keepsIn: folder });
const computing = openLane('computing', { keepsIn: folder });
const testsOf = new Map([
  [killing, ['contract', 'crash', 'integration/cli'].map(testsIn)],
  [computing, ['unit'].map(testsIn)],
]);
const failed = [];
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => endOn(signal));

say('checking types, and meanwhile lint, format and imports; what the other two lanes say comes at the end');
const checked = runChecks();
const compiles = await servers.run(process.execPath, ['--input-type=module', '--eval', buildAlone]);
if (!compiles) note('types');
const results = await Promise.all([
  runMocha(servers, ['dist/test/**/*.test.js'], [...testsOf.values()].flat()),
  runMocha(killing, testsOf.get(killing)),
  checked.then(() => runMocha(computing, testsOf.get(computing))),
]);
tellKept();
if (compiles && results.every(({ passes, failures }) => passes + failures === 0)) note('no test ran');
const { isGood, lines } = verdict(results, failed);
console.log(lines.join('\n'));
process.exitCode = isGood ? 0 : 1;

async function runChecks() {
  for (const [name, args] of Object.entries(checks))
    if (!(await computing.run(process.execPath, args))) note(name);
}

/** One mocha run, whose tests share their servers. */
async function runMocha(lane, files, others = []) {
  if (!compiles) return nothing;
  const totals = join(folder, `${lane.name}.json`);
  const reporter = ['--reporter', './bin/mocha-reporter.cjs', '--reporter-option', `totals=${totals}`];
  const ignored = others.flatMap((file) => ['--ignore', file]);
  const endedWell = await lane.run(process.execPath, [
    'node_modules/mocha/bin/mocha.js',
    ...reporter,
    ...ignored,
    ...files,
    ...wanted,
  ]);
  if (!existsSync(totals)) {
    note(`mocha ended before its tests did (${lane.name})`);
    return nothing;
  }
  const result = JSON.parse(readFileSync(totals, 'utf8'));
  if (!endedWell && result.failures === 0) note(`mocha ended badly after its tests (${lane.name})`);
  say(`${lane.name}: ${result.passes} passed, ${result.failures} failed`);
  return result;
}

function testsIn(name) {
  return `dist/test/${name}/**/*.test.js`;
}

function note(name) {
  failed.push(name);
  say(`failed: ${name}`);
}

function tellKept() {
  for (const lane of [computing, killing]) process.stdout.write(lane.said());
}

/** What has been said is all that is left of a run that is told to end. */
function endOn(signal) {
  endAll(signal);
  tellKept();
  process.exit(128 + constants.signals[signal]);
}
