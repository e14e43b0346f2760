import assert from 'node:assert/strict';
import { scopes } from '../../../../http-edge/keys/scopes.js';
import { startEdgeInMemory, type EdgeInMemory } from '../../../support/edge-in-memory.js';
import { keyRecord } from '../../../support/in-memory-ports.js';

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

  it('are counted for every admin, and listed only for an admin of the installation', async () => {
    assert.deepEqual(await askedBy('default'), [200, 1, 1]);
    assert.deepEqual(await askedBy('harbour'), [200, 1, null]);
    assert.deepEqual((await askedBy('reader'))[0], 403);
  });

  const replay = async (keyId: string, body: unknown): Promise<readonly [number, unknown]> => {
    const answer = await edge.post('/api/v1/dead-letters/replay', body, {
      authorization: `Bearer tt_${keyId}_${secret}`,
    });
    return [answer.status, await answer.json()];
  };

  it('are sent back only for an admin of the installation', async () => {
    const wanted = { stage: 'events', code: 'ROWS_REJECTED', reason: 'mended', unknown: 'is ignored' };
    assert.deepEqual(await replay('default', wanted), [
      200,
      { replayed: 1, left: 0, decided_before: [], unknown: [] },
    ]);
    assert.deepEqual(await replay('default', { ids: ['a', 'b'] }), [
      200,
      { replayed: 1, left: 0, decided_before: [], unknown: ['b'] },
    ]);
    for (const keyId of ['harbour', 'reader']) assert.equal((await replay(keyId, wanted))[0], 403);
  });

  it('are not sent back if a request does not say clearly which', async () => {
    for (const body of [{}, { ids: [] }, { stage: 'events' }, { ids: ['a'], code: 'ROWS_REJECTED' }])
      assert.equal((await replay('default', body))[0], 422, JSON.stringify(body));
  });
});
