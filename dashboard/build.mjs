// Builds the dashboard into dist/ui/: checks types, bundles, compresses the files, and checks the size
// budgets. Does nothing if these sources have already been built.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { digestOf } from '../bin/prepare.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
process.chdir(join(root, '..'));
const site = join('dist', 'ui');
const stamp = join(site, '.sources');
const entryBudget = 130 * 1024;
const firstLoadBudget = 200 * 1024;
const requestBudget = 15;

const digest = digestOf([
  ...['index.html', 'build.mjs', 'types.mjs', 'package.json', 'tsconfig.json', 'vite.config.js', 'src'].map(
    (name) => join('dashboard', name),
  ),
  ...['schemas/openapi/edge.json', 'package-lock.json'],
]);
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest) {
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'dashboard/tsconfig.json'];
  if (spawnSync(process.execPath, tsc, { stdio: 'inherit' }).status !== 0) process.exit(1);
  await build({ root, configFile: join(root, 'vite.config.js'), logLevel: 'warn' });
  holdBudgets(compress());
  writeFileSync(stamp, digest);
}

/** Writes `.br` and `.gz` next to each file; returns each file's gzip size by name. */
function compress() {
  const names = ['index.html', ...readdirSync(join(site, 'assets')).map((name) => join('assets', name))];
  return new Map(
    names.map((name) => {
      const bytes = readFileSync(join(site, name));
      const gzip = gzipSync(bytes, { level: 9 });
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      };
      writeFileSync(join(site, `${name}.gz`), gzip);
      writeFileSync(join(site, `${name}.br`), brotliCompressSync(bytes, { params }));
      return [name, gzip.length];
    }),
  );
}

/** The entry is the scripts in index.html, including Home. A first visit also loads the style sheets. */
function holdBudgets(sizes) {
  const page = readFileSync(join(site, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:src|href)="\/ui\/(assets\/[^"]+)"/g)].map(([, name]) => join(name));
  const sizeOf = (names) => names.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
  const entry = sizeOf(named.filter((name) => name.endsWith('.js')));
  const firstLoad = sizeOf([...named, 'index.html']);
  const requests = named.length + 1;
  console.log(
    `telltale: the dashboard's entry has ${kib(entry)} (gzip), its first load ${kib(firstLoad)} in ${requests} requests`,
  );
  if (entry <= entryBudget && firstLoad <= firstLoadBudget && requests <= requestBudget) return;
  console.error(
    `telltale: the dashboard's budgets are ${kib(entryBudget)} for the entry, and ${kib(firstLoadBudget)} and ${requestBudget} requests for the first load`,
  );
  process.exit(1);
}

function kib(bytes) {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
