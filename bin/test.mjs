// `npm test`: runs every check, also on a fresh clone. Arguments go to mocha (`npm test -- --grep status`).
// The last line is `N passed, N failed`; if a check that is not a test fails, it counts as one failure.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checks } from './checks.mjs';
import { installDependencies, requireNode, say } from './prepare.mjs';
import { rememberFlakes } from './flakes.mjs';
import { endAll, openTestProcess } from './test-process.mjs';
import { nothing, verdict } from './verdict.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
requireNode();
const wanted = process.argv.slice(2);
if (wanted.some((argument) => /\.test\.[jt]s$/.test(argument))) {
  say('it runs every file; for one alone: npm run test:one -- test/…/name.test.ts');
  process.exit(2);
}
installDependencies();

/** In a separate process, because it blocks while the compiler runs. */
const buildAlone = "import { build } from './bin/prepare.mjs'; process.exitCode = build() ? 0 : 1";

const folder = mkdtempSync(join(tmpdir(), 'telltale-test-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
// Tests with servers mostly wait for them, so four test processes run at once, each with its own servers. By
// the figures in docs/testing.md, all take about the same time. Only the first one's output is shown live.
const servers = openTestProcess('servers');
const operating = openTestProcess('operating', { keepsIn: folder });
const edges = openTestProcess('edges', { keepsIn: folder });
const computing = openTestProcess('computing', { keepsIn: folder });
/** The mocha runs of the other test processes, one after another, each with its own servers. */
const runsOf = new Map([
  [
    operating,
    [
      { name: 'operating', of: ['integration/cli', 'integration/agent', 'integration/event-loop'] },
      { name: 'kafka', of: ['integration/runtime/kafka'] },
    ],
  ],
  [
    edges,
    [
      { name: 'edges', of: ['contract', 'integration/http-edge'] },
      { name: 'crash', of: ['crash'] },
    ],
  ],
  [
    computing,
    [
      // A unit test waits for nothing, so a single failure counts.
      { name: 'unit', of: ['unit'], options: ['--retries', '0'] },
      {
        name: 'runtime',
        of: ['integration/runtime'],
        others: [testsIn('integration/runtime/kafka')],
      },
    ],
  ],
]);
const ofOthers = [...[...runsOf.values()].flat().flatMap(({ of }) => of), 'long'].map(testsIn);
const failed = [];
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => endOn(signal));

say('checking types, and meanwhile format and imports; what the other test processes say comes at the end');
const building = servers.run(process.execPath, ['--input-type=module', '--eval', buildAlone]);
const checked = runChecks();
const compiles = await building;
if (!compiles) note('types');
const results = await Promise.all([
  runMocha(servers, ['dist/test/**/*.test.js'], { name: 'servers', others: ofOthers }),
  runAll(operating),
  runAll(edges),
  checked.then(() => runAll(computing)),
]);
tellKept();
if (compiles && results.flat().every(({ passes, failures }) => passes + failures === 0)) note('no test ran');
keepDurations(results.flat());
const { isGood, lines } = verdict(results.flat(), failed, rememberFlakes(results.flat()));
console.log(lines.join('\n'));
process.exitCode = isGood ? 0 : 1;

async function runChecks() {
  for (const [name, args] of Object.entries(checks)) {
    if (name === 'lint') await building;
    if (!(await computing.run(process.execPath, args))) note(name);
  }
}

async function runAll(testProcess) {
  const results = [];
  for (const { of, ...more } of runsOf.get(testProcess))
    results.push(await runMocha(testProcess, of.map(testsIn), more));
  return results;
}

/** One mocha run, whose tests share their servers. */
async function runMocha(testProcess, files, { name, others = [], options = [] }) {
  if (!compiles) return nothing;
  const totals = join(folder, `${name}.json`);
  const reporter = ['--reporter', './bin/mocha-reporter.cjs', '--reporter-option', `totals=${totals}`];
  const ignored = others.flatMap((file) => ['--ignore', file]);
  const endedWell = await testProcess.run(process.execPath, [
    'node_modules/mocha/bin/mocha.js',
    ...reporter,
    ...options,
    ...ignored,
    ...files,
    ...wanted,
  ]);
  if (!existsSync(totals)) {
    note(`mocha ended before its tests did (${name})`);
    return nothing;
  }
  const result = JSON.parse(readFileSync(totals, 'utf8'));
  if (!endedWell && result.failures === 0) note(`mocha ended badly after its tests (${name})`);
  say(`${name}: ${result.passes} passed, ${result.failures} failed`);
  return result;
}

function testsIn(name) {
  return `dist/test/${name}/**/*.test.js`;
}

/** Writes where the time went; the table in docs/testing.md is made from it. */
function keepDurations(results) {
  const seconds = (value) => value.toFixed(1).padStart(8);
  const lines = results
    .flatMap(({ files }) => files)
    .sort((a, b) => b.wall - a.wall)
    .map(({ file, wall, cpu }) => `${seconds(wall)} ${seconds(cpu)}  ${file}\n`);
  mkdirSync('.telltale-test', { recursive: true });
  writeFileSync('.telltale-test/durations.txt', lines.join(''));
}

function note(name) {
  failed.push(name);
  say(`failed: ${name}`);
}

function tellKept() {
  for (const { said } of [computing, operating, edges]) process.stdout.write(said());
}

/** Prints the kept output before the end: nothing else remains of an interrupted run. */
function endOn(signal) {
  endAll(signal);
  tellKept();
  process.exit(128 + constants.signals[signal]);
}
