import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheFolder, fetchOnce } from '../../../stack/cache.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('the cache of downloads', () => {
  const root = temporaryFolder();

  it('lies where TELLTALE_CACHE says', () => {
    assert.equal(cacheFolder({ TELLTALE_CACHE: '/somewhere' }), '/somewhere');
    assert.match(cacheFolder({}), /telltale$/);
  });

  it('is filled once, even when two want the same at once', async () => {
    let fills = 0;
    const fill = async (folder: string): Promise<void> => {
      fills += 1;
      await sleep(20);
      writeFileSync(join(folder, 'jar'), 'bytes');
    };
    const folders = await Promise.all([fetchOnce('kafka', fill, root()), fetchOnce('kafka', fill, root())]);
    assert.equal(fills, 1);
    for (const folder of folders) assert.equal(readFileSync(join(folder, 'jar'), 'utf8'), 'bytes');
  });

  it('keeps nothing of a download that failed, and tries again the next time', async () => {
    const fail = async (folder: string): Promise<void> => {
      writeFileSync(join(folder, 'half'), '');
      await Promise.reject(new Error('the network is down'));
    };
    await assert.rejects(fetchOnce('registry', fail, root()), /network is down/);
    assert.equal(existsSync(join(root(), 'registry')), false);
    const folder = await fetchOnce('registry', () => Promise.resolve(), root());
    assert.equal(existsSync(join(folder, 'half')), false);
  });
});
