// `npm test`: every check there is, on a fresh clone too. Arguments go to mocha (`npm test -- --grep status`).
// The last line is `N passed, N failed`; a check that is not a test counts as one failure where it fails.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, installDependencies, requireNode, say } from './prepare.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
requireNode();
installDependencies();

const node = (script, ...args) =>
  spawnSync(process.execPath, [`node_modules/${script}`, ...args], { stdio: 'inherit' }).status === 0;
const existing = (folders, under = '.') => folders.filter((name) => existsSync(join(under, name)));
const checked = existing([
  'schemas',
  'topics',
  'runtime',
  'http-edge',
  'processors',
  'sinks',
  'agent',
  'cli',
  'stack',
]);

const checks = {
  lint: () => node('eslint/bin/eslint.js', '.', '--max-warnings', '0'),
  format: () => node('prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'),
  types: build,
  imports: () =>
    node('dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs', ...checked),
};

const failed = [];
for (const [name, check] of Object.entries(checks)) {
  say(`checking ${name}`);
  if (!check()) failed.push(name);
}
const { passes, failures } = failed.includes('types') ? { passes: 0, failures: 0 } : runMocha();
for (const name of failed) say(`failed: ${name}`);
console.log(`${passes} passed, ${failures + failed.length} failed`);
process.exitCode = failures + failed.length === 0 ? 0 : 1;

/** One mocha run, so that all integration tests share one stack. */
function runMocha() {
  const folder = mkdtempSync(join(tmpdir(), 'telltale-test-'));
  const totals = join(folder, 'totals.json');
  const files = existing(['unit', 'contract', 'integration', 'crash'], 'test').map(
    (name) => `dist/test/${name}/**/*.test.js`,
  );
  const reporter = ['--reporter', './bin/mocha-reporter.cjs', '--reporter-option', `totals=${totals}`];
  try {
    node('mocha/bin/mocha.js', ...reporter, ...files, ...process.argv.slice(2));
    return JSON.parse(readFileSync(totals, 'utf8'));
  } catch {
    say('failed: mocha ended before its tests did');
    return { passes: 0, failures: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
