// `npm run soak [rounds]`: runs the property tests that need no server, again and again with new seeds.
// `npm test` uses one seed; this finds counterexamples that occur once in a thousand runs. Ends at the first
// round that fails.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, giveUp, say } from './prepare.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const rounds = Number(process.argv[2] ?? 20);
if (!Number.isInteger(rounds) || rounds < 1)
  giveUp('npm run soak takes a number of rounds, 20 for instance.');
if (!build()) giveUp('it does not build: see above.');

const unit = join('dist', 'test', 'unit');
const files = readdirSync(unit, { recursive: true })
  .map((name) => join(unit, name))
  .filter((file) => file.endsWith('.test.js') && isOfProperties(readFileSync(file, 'utf8')));
const mocha = [
  'node_modules/mocha/bin/mocha.js',
  '--retries',
  '0',
  '--timeout',
  '1200000',
  '--reporter',
  'dot',
];
for (let round = 1; round <= rounds; round += 1) {
  say(`round ${round} of ${rounds}, ${files.length} files`);
  const { status } = spawnSync(process.execPath, [...mocha, ...files], {
    stdio: 'inherit',
    env: { ...process.env, PROPERTY_SEED: 'random' },
  });
  if (status !== 0) giveUp('the seed and path above repeat it: give them to fc.assert.');
}

function isOfProperties(text) {
  return text.includes("from 'fast-check'") || text.includes('/support/properties.js');
}
