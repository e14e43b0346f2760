// `npm run test:one -- <file>…`: compiles what has changed and runs only these test files. With --watch, it
// does so again at each change of a source. Options that follow go to mocha (`--grep status`).
import { spawnSync } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, giveUp, installDependencies, requireNode, say } from './prepare.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
requireNode();
installDependencies();

const given = process.argv.slice(2);
const isWatching = given.includes('--watch');
const mocha = given
  .filter((argument) => argument !== '--watch')
  .map((argument) => (argument.endsWith('.test.ts') ? compiled(argument) : argument));
if (!mocha.some((argument) => argument.endsWith('.test.js')))
  giveUp('name a test file: npm run test:one -- test/unit/…/name.test.ts');

const isGood = run();
if (isWatching) watchSources();
else process.exitCode = isGood ? 0 : 1;

function compiled(file) {
  if (!existsSync(file)) giveUp(`there is no ${file}.`);
  return `dist/${file.replace(/^\.\//, '').replace(/\.ts$/, '.js')}`;
}

function run() {
  if (!build()) return false;
  const command = ['node_modules/mocha/bin/mocha.js', '--retries', '0', ...mocha];
  return spawnSync(process.execPath, command, { stdio: 'inherit' }).status === 0;
}

/** Several events of one save in an editor cause a single run. */
function watchSources() {
  say('waiting for a change (Ctrl-C ends this)');
  let soon;
  watch('.', { recursive: true }, (_, path) => {
    if (path === null || !/\.(ts|json|avsc|sql)$/.test(path) || /^(dist|node_modules|\.)/.test(path)) return;
    clearTimeout(soon);
    soon = setTimeout(() => run(), 100);
  });
}
