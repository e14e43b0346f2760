import assert from 'node:assert/strict';
import { startEdgeInMemory, type EdgeInMemory } from '../../support/edge-in-memory.js';
import { keyRecord } from '../../support/in-memory-ports.js';

interface Key {
  readonly key: string;
  readonly key_id: string;
  readonly state: string;
  readonly workspace: string;
}

const keys = '/api/v1/keys';
const task = '/api/v1/monitoring/metrics/text-metrics/task';

describe('key management over HTTP', () => {
  let edge: EdgeInMemory;
  before(async () => {
    edge = await startEdgeInMemory();
    edge.ports.keys.set('foreign', keyRecord('foreign', 'secret', ['metrics'], { workspace: 'other' }));
    edge.ports.keys.set('plain', keyRecord('plain', 'secret', ['metrics', 'read']));
  });
  after(() => edge.stop());

  const create = async (body: unknown): Promise<Key> => {
    const response = await edge.post(keys, body);
    assert.equal(response.status, 201);
    const made = (await response.json()) as Key;
    assert.equal(response.headers.get('location'), `${keys}/${made.key_id}`);
    return made;
  };
  const statusWith = async (token: string): Promise<number> => {
    const response = await edge.post(task, { prompt: 'a' }, { authorization: `Bearer ${token}` });
    await response.text();
    return response.status;
  };
  const remove = (id: string): Promise<Response> =>
    fetch(`${edge.url}${keys}/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${edge.token}` },
    });

  it('makes a key that works, shows its secret once, rotates and revokes it', async () => {
    const made = await create({ name: 'app', scopes: ['metrics'] });
    assert.equal(await statusWith(made.key), 202);
    const shown = await (await edge.get(`${keys}/${made.key_id}`)).text();
    const secret = made.key.slice(made.key.lastIndexOf(made.key_id) + made.key_id.length + 1);
    assert.ok(!shown.includes(secret) && !shown.includes('hash'));

    const rotated = (await (await edge.post(`${keys}/${made.key_id}/rotate`, '')).json()) as Key;
    assert.deepEqual([await statusWith(made.key), await statusWith(rotated.key)], [401, 202]);

    assert.equal((await remove(made.key_id)).status, 204);
    assert.equal((await remove(made.key_id)).status, 204);
    assert.equal(await statusWith(rotated.key), 401);
    assert.equal((await edge.post(`${keys}/${made.key_id}/rotate`, '')).status, 409);
  });

  it('shows and changes only its own workspace', async () => {
    const list = (await (await edge.get(keys)).json()) as { keys: readonly Key[] };
    assert.ok(list.keys.length >= 2);
    assert.ok(list.keys.every(({ workspace }) => workspace === 'acme'));
    assert.equal((await edge.get(`${keys}/foreign`)).status, 404);
    assert.equal((await remove('foreign')).status, 404);
    assert.equal((await edge.post(`${keys}/foreign/rotate`, '')).status, 404);
  });

  it('says when a key was last used, or null if no use is known', async () => {
    const lastUse = async (id: string): Promise<string | null> =>
      ((await (await edge.get(`${keys}/${id}`)).json()) as { last_used_at: string | null }).last_used_at;
    const { key, key_id: id } = await create({ name: 'used', scopes: ['metrics'] });
    assert.equal(await lastUse(id), null);
    const before = Date.now();
    assert.equal(await statusWith(key.slice(0, -1)), 401);
    assert.equal(await lastUse(id), null, 'a wrong secret is no use of the key');
    assert.equal(await statusWith(key), 202);
    const used = Date.parse((await lastUse(id)) ?? '');
    assert.ok(used >= before && used <= Date.now());
  });

  it('is for keys with the scope admin', async () => {
    const response = await edge.get(keys, { authorization: 'Bearer tt_plain_secret' });
    assert.equal(response.status, 403);
    assert.equal((await fetch(`${edge.url}${keys}`)).status, 401);
  });

  it('names each field that is wrong', async () => {
    const response = await edge.post(keys, { name: '', scopes: ['root'], expires_at: 'tomorrow' });
    assert.equal(response.status, 422);
    const { errors } = (await response.json()) as { errors: readonly { pointer: string }[] };
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      ['/name', '/scopes', '/expires_at'],
    );
  });

  it('echoes no key that was pasted into a path', async () => {
    const response = await edge.get(`${keys}/${edge.token}`);
    assert.equal(response.status, 404);
    const body = await response.text();
    assert.ok(!body.includes(edge.token) && body.includes('tt_...'));
  });

  it('answers 503 while a change cannot be stored', async () => {
    edge.ports.failAppends('APPEND_TIMED_OUT');
    assert.equal((await edge.post(keys, { name: 'x', scopes: ['read'] })).status, 503);
    edge.ports.failAppends(undefined);
  });
});
