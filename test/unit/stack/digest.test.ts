import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOfFolder, requireDigest } from '../../../stack/digest.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('the digest of a download', () => {
  const folder = temporaryFolder();

  it('is what the usual tool prints, so that anyone can check it', async () => {
    for (const name of ['b.jar', 'a.jar', 'B.jar']) writeFileSync(join(folder(), name), `bytes of ${name}`);
    const printed = execFileSync('/bin/sh', ['-c', 'LC_ALL=C; export LC_ALL; sha256sum * | sha256sum'], {
      cwd: folder(),
      encoding: 'utf8',
    });
    assert.equal(await digestOfFolder(folder()), printed.split(' ')[0]);
  });

  it('refuses a file that is not the one that was pinned', async () => {
    writeFileSync(join(folder(), 'a.jar'), 'good');
    const pinned = await digestOfFolder(folder());
    await requireDigest('Kafka', folder(), pinned);
    writeFileSync(join(folder(), 'a.jar'), 'evil');
    await assert.rejects(requireDigest('Kafka', folder(), pinned), /Kafka could not be fetched: the digest/);
  });
});
