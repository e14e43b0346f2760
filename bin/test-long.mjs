// `npm run test:long`: tests that take too long for `npm test` and rarely fail: test/long; test/crash and the
// replay commands with all of their kills; the Elasticsearch tests on every version, which are large
// downloads; and the property tests, ten times as often as in `npm test`, with new seeds. It must pass before
// an issue counts as resolved. Arguments go to mocha (`npm run test:long -- --grep vast`).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, giveUp, installDependencies, requireNode } from './prepare.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
requireNode();
installDependencies();
if (!build()) giveUp('it does not build: see above.');

const files = [
  'dist/test/long/**/*.test.js',
  'dist/test/contract/edge-in-pipeline.test.js',
  'dist/test/crash/**/*.test.js',
  ...of('dist/test/integration/cli', ['dev', 'dev-end']),
  ...of('dist/test/integration/cli/commands', ['dead-letters', 'import', 'replay-scoring', 'replay-table']),
  'dist/test/integration/agent/**/*.test.js',
  ...of('dist/test/integration', [
    ...['dashboard', 'dashboard-cluster', 'pipeline', 'watched-cluster'],
    ...[
      'event-loop/edge-and-agent',
      'processors/score-metrics/pool-with-embeddings',
      'sinks/events',
      'stack/local-stack',
    ],
  ]),
  'dist/test/integration/http-edge/table-replays.test.js',
];
const wanted = process.argv.slice(2);
const failed = [
  ...run('tests', ['node_modules/mocha/bin/mocha.js', '--retries', '0', ...files, ...wanted], {
    TEST_ES: 'all',
    TEST_SCALE: 'full',
  }),
  ...(wanted.length > 0 ? [] : run('properties', ['bin/soak.mjs', '1'], { PROPERTY_RUNS_FACTOR: '10' })),
];
if (failed.length > 0) giveUp(`failed: ${failed.join(', ')}`);

function run(name, args, environment) {
  const { status } = spawnSync(process.execPath, args, {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  return status === 0 ? [] : [name];
}

/**
 * Each file by its path: mocha splits arguments at commas, so a pattern with alternatives would find nothing,
 * and mocha only warns about that.
 */
function of(folder, names) {
  const paths = names.map((name) => `${folder}/${name}.test.js`);
  const missing = paths.filter((path) => !existsSync(path));
  if (missing.length > 0) giveUp(`there is no ${missing.join(', ')}`);
  return paths;
}
