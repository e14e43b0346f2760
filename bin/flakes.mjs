// Counts, across runs, the tests that passed only at a second try. The counts are next to the cached servers:
// a CI that keeps those keeps these too. In CI (`CI` is set) a second time is a failure: a test that fails
// now and then is broken.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const cacheFolder = process.env.TELLTALE_CACHE ?? join(homedir(), '.cache', 'telltale');

/** Counts the flakes of these mocha runs; returns those that count as failures. */
export function rememberFlakes(
  results,
  { path = join(cacheFolder, 'flaky-tests.json'), isCi = Boolean(process.env.CI) } = {},
) {
  const flakes = results.flatMap(({ shaky }) => shaky);
  if (flakes.length === 0) return [];
  const times = readTimes(path);
  for (const flake of flakes) times[titleOf(flake)] = (times[titleOf(flake)] ?? 0) + 1;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(times, null, 2)}\n`);
  return isCi ? flakes.filter((flake) => times[titleOf(flake)] > 1) : [];
}

/** The flake's first line, without the file's path at its end. */
const titleOf = (flake) =>
  flake
    .split('\n', 1)[0]
    .replace(/ \([^)]*\)$/, '')
    .trim();

/** A damaged file counts as empty. */
function readTimes(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}
