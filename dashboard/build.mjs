// Builds the dashboard into dist/ui/: a check of all types, the bundle, its compressed forms, and its budgets. Does
// nothing where these very sources have been built.
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

const digest = digestOf([
  ...['index.html', 'build.mjs', 'types.mjs', 'package.json', 'tsconfig.json', 'vite.config.js', 'src'].map(
    (name) => join('dashboard', name),
  ),
  ...['schemas/openapi/edge.json', 'package-lock.json'],
]);
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest) {
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'dashboard/tsconfig.json'];
  if (spawnSync(process.execPath, tsc, { stdio: 'inherit' }).status !== 0) process.exit(1);
  const { output } = await build({ root, configFile: join(root, 'vite.config.js'), logLevel: 'warn' });
  holdBudgets(compress(), output);
  writeFileSync(stamp, digest);
}

/** Writes `.br` and `.gz` beside each file; gives the gzip size of each by its name. */
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

/** The entry is the scripts that the page names. A first visit loads them, Home, and the style sheets of both. */
function holdBudgets(sizes, output) {
  const page = readFileSync(join(site, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:src|href)="\/ui\/(assets\/[^"]+)"/g)].map(([, name]) => join(name));
  const home = filesOf(
    output.find(({ facadeModuleId: id }) => id?.endsWith('pages/home/page.tsx') === true),
    output,
  );
  const loaded = [...new Set([...named, ...home])];
  const sizeOf = (names) => names.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
  const entry = sizeOf(named.filter((name) => name.endsWith('.js')));
  const firstLoad = sizeOf([...loaded, 'index.html']);
  console.log(
    `telltale: the dashboard's entry has ${kib(entry)} (gzip), its first load ${kib(firstLoad)} in ${loaded.length + 1} requests`,
  );
  if (entry <= entryBudget && firstLoad <= firstLoadBudget) return;
  console.error(
    `telltale: the dashboard's budgets are ${kib(entryBudget)} for the entry and ${kib(firstLoadBudget)} for the first load`,
  );
  process.exit(1);
}

/** A chunk, everything that it imports, and the style sheets of both. */
function filesOf(chunk, output, seen = new Set()) {
  if (seen.has(chunk.fileName)) return [];
  seen.add(chunk.fileName);
  const imported = output.filter(({ fileName }) => chunk.imports.includes(fileName));
  return [
    join(chunk.fileName),
    ...[...chunk.viteMetadata.importedCss].map((name) => join(name)),
    ...imported.flatMap((one) => filesOf(one, output, seen)),
  ];
}

function kib(bytes) {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
