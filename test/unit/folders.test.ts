import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';

const { include } = JSON.parse(readFileSync('tsconfig.json', 'utf8')) as {
  readonly include: readonly string[];
};

/** The folders in git, except the dashboard, which is compiled separately. */
const topLevel = readdirSync('.', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !/^[.]|^(?:dashboard|dist|node_modules)$/.test(entry.name))
  .map(({ name }) => name);
const extensionsIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => extname(path));

describe('the top-level folders of tsconfig.json', () => {
  it('are all that have TypeScript', () => {
    const compiled = topLevel.filter((name) => extensionsIn(name).includes('.ts'));
    assert.deepEqual(compiled.toSorted(), [...include].sort());
  });
});
