import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { currentAsker } from '../../../../http-edge/http/asker.js';
import { TelltaleError } from '../../../../runtime/errors.js';
import { ClientGone } from '../../../../runtime/http/failures.js';
import { startEdgeInMemory, type EdgeInMemory } from '../../../support/edge-in-memory.js';
import { keyRecord } from '../../../support/in-memory-ports.js';

describe('the find route', () => {
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

  it('answers 404 only if everything was searched', async () => {
    const answer = await answerWhere(true);
    assert.equal(answer.status, 404);
    assert.match(await answer.text(), /Everything is kept since 2026-01-02/);
  });

  it('asks to try again if its time ran out first', async () => {
    const answer = await answerWhere(false);
    assert.equal(answer.status, 503);
    assert.equal(answer.headers.get('retry-after'), '2');
    assert.match(await answer.text(), /The search did not finish/);
  });

  it('asks to try again if its query is too large', async () => {
    Object.assign(edge.ports.finder, { find: () => Promise.reject(new TelltaleError('QUERY_TOO_LARGE')) });
    assert.equal((await edge.get('/api/v1/find/anything')).status, 503);
  });

  it('searches for one workspace while another has many searches running', async () => {
    const looking: { readonly workspace: string; readonly end: () => void }[] = [];
    const found = { outcome: 'stored', detail: '', not_seen_since: null, complete: true };
    const find = (_: string, workspace: string) =>
      new Promise((resolve) => looking.push({ workspace, end: () => resolve(found) }));
    Object.assign(edge.ports.finder, { find });
    edge.ports.keys.set('noisy', keyRecord('noisy', 'secret', ['read'], { workspace: 'noisy' }));
    const noisy = { authorization: 'Bearer tt_noisy_secret' };
    const flood = Array.from({ length: 20 }, () => edge.get('/api/v1/find/anything', noisy));
    while (looking.length < 2) await setTimeout(5);
    const quick = edge.get('/api/v1/find/anything');
    while (looking.at(-1)?.workspace !== 'acme') await setTimeout(5);
    assert.ok(looking.length <= 4, String(looking.length));
    looking.at(-1)?.end();
    assert.equal((await quick).status, 200);
    const ending = setInterval(() => looking.forEach(({ end }) => end()), 5);
    await Promise.all(flood);
    clearInterval(ending);
  });

  it('knows for whom it searches, and when its client disconnects', async () => {
    const askers: ReturnType<typeof currentAsker>[] = [];
    const find = () => new Promise(() => askers.push(currentAsker()));
    Object.assign(edge.ports.finder, { find });
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${edge.token}` };
    const left = fetch(`${edge.url}/api/v1/find/anything`, { headers, signal: leaving.signal });
    left.catch(() => undefined);
    while (askers.length === 0) await setTimeout(5);
    const [asker] = askers;
    assert.equal(asker?.workspace, 'acme');
    const gone = once(asker.gone, 'abort');
    leaving.abort();
    await gone;
    assert.ok(asker.gone.reason instanceof ClientGone);
  });
});
