import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';

const read = (path: string): string => readFileSync(path, 'utf8');
const { include } = JSON.parse(read('tsconfig.json')) as { readonly include: readonly string[] };
const production = include.filter((name) => name !== 'bench' && name !== 'test');

/** Those that git has; the dashboard is compiled on its own. */
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

  it('are those whose imports are checked', async () => {
    const { checks } = (await import(pathToFileURL('bin/checks.mjs').href)) as {
      readonly checks: { readonly imports: readonly string[] };
    };
    const { scripts } = JSON.parse(read('package.json')) as {
      readonly scripts: { readonly imports: string };
    };
    for (const words of [checks.imports, scripts.imports.split(' ')])
      assert.deepEqual(words.slice(words.indexOf('.dependency-cruiser.cjs') + 1), [
        ...production,
        'dashboard/src',
      ]);
  });

  it('are copied to dist where they have more than TypeScript', () => {
    const script = read('bin/copy-assets.mjs');
    const listIn = (name: string): readonly string[] =>
      [...(new RegExp(`const ${name} = [^[]*\\[(.*)\\]`).exec(script)?.[1] ?? '').matchAll(/'([^']+)'/g)].map(
        ([, word]) => word ?? '',
      );
    const assets = listIn('assets');
    const copied = listIn('folders');
    assert.ok(assets.length > 0 && copied.length > 0);
    const withAssets = production.filter((name) => extensionsIn(name).some((one) => assets.includes(one)));
    assert.deepEqual(
      withAssets.filter((name) => !copied.includes(name)),
      [],
    );
  });
});
