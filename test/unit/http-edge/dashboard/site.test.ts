import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { encodingFor, readSite } from '../../../../http-edge/dashboard/site.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

describe('the built dashboard as the edge serves it', () => {
  const folder = temporaryFolder();
  const site = () => readSite(pathToFileURL(`${folder()}/`));

  it('is undefined if nothing was built', () => {
    assert.equal(site(), undefined);
  });

  it('has the page, and the assets with their compressed forms', () => {
    mkdirSync(join(folder(), 'assets'));
    for (const name of [
      'index.html',
      'assets/a-1.js',
      'assets/a-1.js.br',
      'assets/b-2.css',
      'assets/b-2.css.gz',
    ])
      writeFileSync(join(folder(), name), name);
    const read = site();
    assert.deepEqual([...(read?.assets.keys() ?? [])].sort(), ['a-1.js', 'b-2.css']);
    assert.equal(read?.page.mediaType, 'text/html; charset=utf-8');
    assert.equal(read.assets.get('a-1.js')?.br?.toString(), 'assets/a-1.js.br');
    assert.equal(read.assets.get('a-1.js')?.gzip, undefined);
  });

  it('is sent in the smallest form that the client takes', () => {
    const bytes = Buffer.from('');
    const file = { mediaType: 'text/css', identity: bytes, br: bytes, gzip: bytes };
    assert.equal(encodingFor(file, 'gzip, deflate, br'), 'br');
    assert.equal(encodingFor(file, 'gzip, br;q=0'), 'gzip');
    assert.equal(encodingFor(file, 'GZIP; q=0.5'), 'gzip');
    assert.equal(encodingFor(file, undefined), 'identity');
    assert.equal(encodingFor({ ...file, br: undefined, gzip: undefined }, 'br, gzip'), 'identity');
  });
});
