// `npm run check`: everything that `npm test` checks without running a test, the fastest checks first. Lint
// and format examine only changed files. A cached lint verdict can miss that a type in another file has
// changed: `npm test` uses no cache.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { checks } from './checks.mjs';
import { build, giveUp, installDependencies, requireNode, say } from './prepare.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
requireNode();
installDependencies();

const caches = {
  lint: ['--cache', '--cache-location', 'node_modules/.cache/eslint/'],
  format: ['--cache'],
};
const failed = [];
timed('types', () => build());
for (const [name, args] of Object.entries(checks))
  timed(name, () => {
    const command = [...args, ...(caches[name] ?? [])];
    return spawnSync(process.execPath, command, { stdio: 'inherit' }).status === 0;
  });
if (failed.length > 0) giveUp(`failed: ${failed.join(', ')}`);

function timed(name, check) {
  const began = performance.now();
  const isGood = check();
  say(`${name} ${isGood ? 'ok' : 'FAILED'} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  if (!isGood) failed.push(name);
}
