// `node bin/pack-agent.mjs [folder]`: makes the package `telltale-agent` from the compiled sources: the
// agent's entry and all modules that it imports, with the packages that these import as dependencies. The
// result is an `npm pack` tarball.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import typescript from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const entry = 'cli/telltale-agent.js';

/** The entry's modules (paths in dist/) and the packages that they import, except Node's built-in modules. */
export function importsOf(start = entry) {
  const modules = new Set();
  const packages = new Set();
  const waiting = [start];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (modules.has(path)) continue;
    modules.add(path);
    if (!path.endsWith('.js')) continue;
    const source = readFileSync(join(root, 'dist', path), 'utf8');
    for (const { fileName } of typescript.preProcessFile(source, true, true).importedFiles) {
      if (fileName.startsWith('.')) waiting.push(normalize(join(dirname(path), fileName)));
      else if (!fileName.startsWith('node:')) packages.add(packageOf(fileName));
    }
    for (const [, asset] of source.matchAll(/new URL\('(\.[^']+)', import\.meta\.url\)/g))
      waiting.push(normalize(join(dirname(path), asset)));
  }
  return { modules: [...modules].sort(), packages: [...packages].sort() };
}

const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Empties a folder and writes the package into it. */
export function writePackage(folder) {
  const { modules, packages } = importsOf();
  const ours = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'bin'), { recursive: true });
  for (const path of modules) cpSync(join(root, 'dist', path), join(folder, path), { recursive: true });
  writeFileSync(join(folder, 'bin', 'telltale-agent.mjs'), `#!/usr/bin/env node\nimport '../${entry}';\n`, {
    mode: 0o755,
  });
  cpSync(join(root, 'deploy', 'agent', 'README.md'), join(folder, 'README.md'));
  cpSync(join(root, 'schemas', 'integration.schema.json'), join(folder, 'integration.schema.json'));
  for (const name of ['LICENSE', 'NOTICE']) cpSync(join(root, name), join(folder, name));
  cpSync(join(root, 'deploy', 'systemd', 'telltale-agent.service'), join(folder, 'telltale-agent.service'));
  const { version, license, engines } = ours;
  const dependencies = Object.fromEntries(packages.map((name) => [name, versionOf(name, ours)]));
  const manifest = {
    name: 'telltale-agent',
    version,
    description:
      'Accepts events and traces on a host, watches Elasticsearch clusters, and keeps all data until the Telltale server has it.',
    license,
    type: 'module',
    engines,
    bin: { 'telltale-agent': 'bin/telltale-agent.mjs' },
    dependencies,
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  return manifest;
}

function versionOf(name, { dependencies }) {
  const version = dependencies[name];
  if (version === undefined)
    throw new Error(`${name} is imported by the agent, but is no dependency of Telltale`);
  return version;
}

/** Makes the tarball; returns its path. */
export function packInto(folder) {
  const source = join(folder, 'telltale-agent');
  writePackage(source);
  const args = ['pack', '--silent', '--offline', '--pack-destination', folder];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: source, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm pack failed:\n${stderr}`);
  return join(folder, stdout.trim().split('\n').at(-1) ?? '');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? join(root, '.telltale', 'package');
  mkdirSync(folder, { recursive: true });
  console.log(`telltale: ${packInto(folder)}`);
}
