import assert from 'node:assert/strict';
import { lockFolder } from '../../../../agent/spool/spool.js';
import { silentLogger, type Logger } from '../../../../runtime/logging.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

describe("the lock of the agent's folder", () => {
  const folder = temporaryFolder();
  const path = process.env['PATH'];
  let said: object[];
  const warn = (fields: object): unknown => said.push(fields);
  const logger: Logger = Object.assign(silentLogger.child({}), { warn });

  beforeEach(() => (said = []));
  afterEach(() => (process.env['PATH'] = path));

  it('is held by one agent, and a second is told which process holds it', () => {
    const release = lockFolder(folder(), logger);
    assert.throws(() => lockFolder(folder(), logger), {
      code: 'FOLDER_TAKEN',
      message: new RegExp(`process ${process.pid}`),
    });
    release();
    lockFolder(folder(), logger)();
    assert.deepEqual(said, []);
  });

  it('is skipped if the system has no flock, and the log says so', function () {
    if (process.platform !== 'linux') this.skip();
    process.env['PATH'] = folder();
    lockFolder(folder(), logger)();
    assert.deepEqual(said, [
      { event: 'folder-not-locked', folder: folder(), reason: 'spawnSync flock ENOENT' },
    ]);
  });
});
