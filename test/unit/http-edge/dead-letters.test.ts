import assert from 'node:assert/strict';
import { scopes } from '../../../http-edge/keys/scopes.js';
import { startEdgeInMemory, type EdgeInMemory } from '../../support/edge-in-memory.js';
import { keyRecord } from '../../support/in-memory-ports.js';

const secret = 'the-secret-of-another-key';

describe('dead letters by HTTP', () => {
  let edge: EdgeInMemory;
  before(async () => {
    edge = await startEdgeInMemory();
    for (const workspace of ['default', 'harbour'])
      edge.ports.keys.set(workspace, keyRecord(workspace, secret, scopes, { workspace }));
    edge.ports.keys.set('reader', keyRecord('reader', secret, ['read'], { workspace: 'default' }));
  });
  after(() => edge.stop());

  const askedBy = async (keyId: string): Promise<readonly [number, unknown, unknown]> => {
    const answer = await edge.get('/api/v1/dead-letters', { authorization: `Bearer tt_${keyId}_${secret}` });
    const body = (await answer.json()) as { dead_letters?: unknown[]; newest?: unknown[] | null };
    return [answer.status, body.dead_letters?.length, body.newest?.length ?? body.newest];
  };

  it('are counted for every admin, and listed for one of the installation alone', async () => {
    assert.deepEqual(await askedBy('default'), [200, 1, 1]);
    assert.deepEqual(await askedBy('harbour'), [200, 1, null]);
    assert.deepEqual((await askedBy('reader'))[0], 403);
  });
});
