import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { standardDirectories, unpackedIn } from '../../../../../agent/slowlogs/tail/standard-directories.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';

describe('the standard directories of logs', () => {
  const folder = temporaryFolder();

  it('are those of packages, and of unpacked archives of any version', async () => {
    const versions = ['elasticsearch-8.14.0', 'elasticsearch-oss-7.10.2', 'elasticsearch-9.0.0-rc1'];
    for (const name of [...versions, 'elasticsearch-exporter', 'kibana-8.14.0'])
      mkdirSync(`${folder()}/${name}`);
    writeFileSync(`${folder()}/elasticsearch-8.14.0-linux-x86_64.tar.gz`, '');
    symlinkSync(`${folder()}/elasticsearch-8.14.0`, `${folder()}/elasticsearch-8`);
    const found = await unpackedIn([folder(), `${folder()}/none`, folder()]);
    assert.deepEqual(
      found.toSorted(),
      [...versions, 'elasticsearch-8'].map((name) => `${folder()}/${name}/logs`).toSorted(),
    );
    assert.ok((await standardDirectories()).includes('/var/log/elasticsearch'));
  });

  it('are those of the newest versions if there are many', async () => {
    for (let minor = 0; minor < 20; minor += 1) mkdirSync(`${folder()}/elasticsearch-8.${minor}.0`);
    const found = (await unpackedIn([folder()])).map((logs) => basename(dirname(logs)));
    assert.equal(found.length, 16);
    assert.equal(found[0], 'elasticsearch-8.19.0');
    assert.ok(!found.includes('elasticsearch-8.3.0'));
  });
});
