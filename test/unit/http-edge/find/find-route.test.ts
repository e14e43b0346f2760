import assert from 'node:assert/strict';
import { startEdgeInMemory, type EdgeInMemory } from '../../../support/edge-in-memory.js';

describe('the route that finds', () => {
  let edge: EdgeInMemory;
  before(async () => {
    edge = await startEdgeInMemory();
  });
  after(() => edge.stop());

  const answerWhere = (complete: boolean): Promise<Response> => {
    const found = {
      outcome: 'not seen',
      detail: 'Nothing.',
      not_seen_since: '2026-01-02T03:04:05Z',
      complete,
    };
    Object.assign(edge.ports.finder, { find: () => Promise.resolve(found) });
    return edge.get('/api/v1/find/anything');
  };

  it('answers 404 only where everything was looked through', async () => {
    const answer = await answerWhere(true);
    assert.equal(answer.status, 404);
    assert.match(await answer.text(), /Everything is kept since 2026-01-02/);
  });

  it('asks to try again where the time was over before', async () => {
    const answer = await answerWhere(false);
    assert.equal(answer.status, 503);
    assert.equal(answer.headers.get('retry-after'), '2');
    assert.match(await answer.text(), /The search was not finished/);
  });
});
