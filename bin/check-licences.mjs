// `node bin/check-licences.mjs`: checks the licences, from package-lock.json, of all packages in the image,
// the agent's package and the dashboard's pages. A licence that is not on the list is a failure until
// somebody has read its terms.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** SPDX identifiers of licences that require at most a notice. */
const allowed = new Set(['MIT', 'Apache-2.0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Unlicense']);
/** Packages whose package.json names no licence; taken from their LICENSE files. */
const unnamed = { 'node_modules/@kafkajs/confluent-schema-registry': 'MIT' };
/** Tools for building the dashboard; no code of theirs is in its pages. */
const tools = /^(@types\/|@vitejs\/|vite$|openapi-typescript$)/;

const { packages } = JSON.parse(
  readFileSync(fileURLToPath(new URL('../package-lock.json', import.meta.url)), 'utf8'),
);
const refused = [...shipped()]
  .map((path) => ({ path, licence: packages[path].license ?? unnamed[path] ?? 'none' }))
  .filter(({ licence }) => !choices(licence).some((choice) => allowed.has(choice)));
for (const { path, licence } of refused)
  console.error(`${path}: ${licence} is not among the licences that are allowed`);
process.exitCode = refused.length === 0 ? 0 : 1;

/** The alternatives in an SPDX expression: one allowed licence is enough. */
function choices(licence) {
  return licence.replace(/^\(|\)$/g, '').split(/ or /i);
}

function* shipped() {
  for (const [path, { dev, link }] of Object.entries(packages))
    if (path.includes('node_modules/') && !dev && !link) yield path;
  const { devDependencies } = packages.dashboard;
  yield* bundled(Object.keys(devDependencies).filter((name) => !tools.test(name)));
}

/** The packages that the dashboard depends on, directly and indirectly. */
function bundled(names) {
  const found = new Set();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const path = [`dashboard/node_modules/${name}`, `node_modules/${name}`].find(
      (place) => place in packages,
    );
    if (path === undefined || found.has(path)) continue;
    found.add(path);
    waiting.push(...Object.keys(packages[path].dependencies ?? {}));
  }
  return found;
}
