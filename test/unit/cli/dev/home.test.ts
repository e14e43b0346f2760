import assert from 'node:assert/strict';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TelltaleError } from '../../../../runtime/errors.js';
import { beginAnew, openHome, secretsOf } from '../../../../cli/dev/home.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

describe("npm start's folder", () => {
  const folder = temporaryFolder();

  it('is locked by one npm start at a time; a second is told which process holds it', () => {
    const home = openHome(folder());
    assert.throws(
      () => openHome(folder()),
      (error) =>
        error instanceof TelltaleError &&
        error.code === 'ALREADY_RUNNING' &&
        error.message.includes(String(process.pid)),
    );
    home.release();
    openHome(folder()).release();
  });

  it('keeps the passwords that it made, readable by their owner alone', () => {
    const home = openHome(folder());
    const secrets = secretsOf(home, {});
    assert.notEqual(secrets.writer, secrets.analyst);
    assert.ok(secrets.writer.length >= 20);
    assert.deepEqual(secretsOf(home, {}), secrets);
    assert.equal(statSync(join(home.folder, 'secrets.env')).mode & 0o777, 0o600);
  });

  it('can be reset: data, keys and passwords are removed', () => {
    const home = openHome(folder());
    mkdirSync(home.data('kafka'), { recursive: true });
    writeFileSync(home.envFile, 'TELLTALE_API_KEY=old');
    const before = secretsOf(home, {});
    beginAnew(home);
    assert.equal(existsSync(home.data('kafka')), false);
    assert.equal(existsSync(home.envFile), false);
    assert.notEqual(secretsOf(home, {}).writer, before.writer);
  });
});
