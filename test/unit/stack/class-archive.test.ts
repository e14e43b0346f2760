import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { classArchive, type Archived } from '../../../stack/class-archive.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('the archive of the classes of a program', () => {
  const root = temporaryFolder();
  let runs = 0;
  beforeEach(() => (runs = 0));

  /** Any existing file can stand in for Java. */
  const flagsFor = (runOnce: Archived['runOnce'], java = process.execPath): Promise<string[]> =>
    classArchive({ name: 'program', java, runOnce }, root());
  const writing: Archived['runOnce'] = ([flag = ''], folder) => {
    runs += 1;
    writeFileSync(join(folder, 'its own data'), '');
    writeFileSync(flag.replace('-XX:ArchiveClassesAtExit=', ''), 'classes');
    return Promise.resolve();
  };
  const failing: Archived['runOnce'] = () => {
    runs += 1;
    return Promise.reject(new Error('this Java has no such flag'));
  };

  it('is written once, by a run of the program that leaves nothing else behind', async () => {
    const [flag = '', ...others] = await flagsFor(writing);
    assert.deepEqual(await flagsFor(writing), [flag]);
    assert.deepEqual([runs, others], [1, []]);
    const path = flag.replace('-XX:SharedArchiveFile=', '');
    assert.equal(readFileSync(path, 'utf8'), 'classes');
    assert.deepEqual(readdirSync(join(path, '..')), ['classes.jsa']);
  });

  it('is a different one for another Java', async () => {
    const other = join(root(), 'java');
    writeFileSync(other, '');
    assert.notDeepEqual(await flagsFor(writing, other), await flagsFor(writing));
  });

  it("is omitted if it can't be written, and not tried again", async () => {
    assert.deepEqual(await flagsFor(failing), []);
    assert.deepEqual(await flagsFor(failing), []);
    assert.equal(runs, 1);
  });
});
