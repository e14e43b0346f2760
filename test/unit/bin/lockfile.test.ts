import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

interface Package {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly resolved?: string;
  /** A workspace: `resolved` is its folder. */
  readonly link?: true;
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, Package>>;
};

describe('the lockfile', () => {
  it('has every package that another one asks for, those of other platforms too, or `npm ci` refuses it', () => {
    const missing = Object.entries(lock.packages).flatMap(([path, wanted]) =>
      Object.keys({ ...wanted.dependencies, ...wanted.optionalDependencies })
        .filter((name) => !isFoundFrom(path, name))
        .map((name) => `${name}, for ${path}`),
    );
    assert.deepEqual(missing, []);
  });

  it('names no download address, as those differ from registry to registry', () => {
    const addresses = Object.values(lock.packages).flatMap(({ resolved, link }) =>
      link === true ? [] : (resolved ?? []),
    );
    assert.deepEqual(addresses, []);
  });
});

/** Looks packages up as Node does: in the package's own node_modules, then in those of the folders above. */
function isFoundFrom(path: string, name: string): boolean {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (candidate in lock.packages) return true;
    if (folder === '') return false;
  }
}
