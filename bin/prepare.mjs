// What `npm start` and `npm test` need before our code can run. Uses only Node: nothing is installed yet.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const leastNode = [20, 19];
const installedStamp = join('node_modules', '.telltale-lockfile');
const builtStamp = join('dist', '.sources');
const sources = [
  'schemas', 'topics', 'runtime', 'http-edge', 'processors', 'sinks', 'agent', 'cli', 'stack', 'bench', 'deploy', 'test',
  'dashboard/src', 'dashboard/index.html', 'dashboard/build.mjs', 'dashboard/types.mjs', 'dashboard/tsconfig.json',
  'dashboard/vite.config.js', 'dashboard/package.json',
  'tsconfig.json', 'package.json', 'package-lock.json', 'bin',
]; // prettier-ignore

export const say = (line) => console.log(`telltale: ${line}`);

/** Ends the process with one line that says what to do. */
export function giveUp(line) {
  console.error(`telltale: ${line}`);
  process.exit(1);
}

export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (isOlder([major, minor], leastNode))
    giveUp(
      `Node ${leastNode.join('.')} or newer is needed, this is ${process.version}. Install a newer one (https://nodejs.org).`,
    );
}

export function isOlder([major, minor], [leastMajor, leastMinor]) {
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

/** Runs `npm ci` if there are no dependencies, or those of another lockfile. */
export function installDependencies() {
  const digest = digestOf(['package-lock.json']);
  if (readIfThere(installedStamp) === digest) return;
  if (installedByHandAfterwards()) return writeFileSync(installedStamp, digest);
  say('installing the dependencies (about a minute, once)');
  run('npm', ['ci', '--no-audit', '--no-fund'], 'the dependencies could not be installed');
  writeFileSync(installedStamp, digest);
}

function installedByHandAfterwards() {
  const installed = join('node_modules', '.package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync('package-lock.json').mtimeMs;
}

/** Compiles, unless these sources have already been compiled. Returns whether that worked. */
export function build() {
  const digest = digestOf(sources);
  if (readIfThere(builtStamp) === digest) return true;
  say('building');
  if (spawnSync(process.execPath, ['bin/build.mjs'], { stdio: 'inherit' }).status !== 0) return false;
  mkdirSync('dist', { recursive: true });
  writeFileSync(builtStamp, digest);
  return true;
}

/** SHA-256 over the names and contents of files and folders, in a fixed order. */
export function digestOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesUnder))
    hash.update(path).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}

function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}

export function run(command, args, otherwise) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error !== undefined) giveUp(`${otherwise}: ${error.message}`);
  if (status !== 0) giveUp(`${otherwise} (\`${command} ${args.join(' ')}\` ended with ${status}).`);
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
