import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wasKilled } from '../../../stack/kafka/fence-broker.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('a broker that was killed', () => {
  const folder = temporaryFolder();

  it('is distinguished from one that never ran, never had a transaction, or stopped by itself', () => {
    const data = join(folder(), 'log');
    assert.equal(wasKilled(data), false);
    mkdirSync(join(data, '__cluster_metadata-0'), { recursive: true });
    assert.equal(wasKilled(data), false);
    mkdirSync(join(data, '__transaction_state-0'));
    assert.equal(wasKilled(data), true);
    writeFileSync(join(data, '.kafka_cleanshutdown'), '');
    assert.equal(wasKilled(data), false);
  });
});
