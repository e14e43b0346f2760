import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openKnownClusters } from '../../../../agent/collectors/known-clusters.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { until } from '../../../support/until.js';

describe('the cluster that an endpoint led to', () => {
  const folder = temporaryFolder();
  const books = { uuid: 'u1', name: 'books', version: '8.14.1', major: 8 };

  it('is known after a restart', async () => {
    const path = join(folder(), 'clusters.json');
    const known = await openKnownClusters(path);
    assert.equal(known.of('http://es:9200'), null);
    known.learn('http://es:9200', books);
    known.learn('http://other:9200', { ...books, uuid: 'u2' });
    await until('it is written', () => readFileSync(path, { encoding: 'utf8', flag: 'a+' }).includes('u2'));
    const again = await openKnownClusters(path);
    assert.deepEqual(again.of('http://es:9200'), books);
  });

  it('is known by its new name after a restart', async () => {
    const path = join(folder(), 'clusters.json');
    const known = await openKnownClusters(path);
    known.learn('http://es:9200', books);
    known.learn('http://es:9200', { ...books, name: 'library' });
    await until('it is written', () =>
      readFileSync(path, { encoding: 'utf8', flag: 'a+' }).includes('library'),
    );
    assert.equal((await openKnownClusters(path)).of('http://es:9200')?.name, 'library');
  });

  it('is unknown if the file cannot be read as ours', async () => {
    const path = join(folder(), 'clusters.json');
    for (const text of ['', '[1]', '{"http://es:9200":{"uuid":"../x"}}']) {
      writeFileSync(path, text);
      assert.equal((await openKnownClusters(path)).of('http://es:9200'), null, text);
    }
  });
});
