import assert from 'node:assert/strict';
import { createKey, revokeKey, rotateKey, stateOf } from '../../../../http-edge/keys/key-store.js';
import type { AccessKeys } from '../../../../http-edge/ports.js';
import type { ApiKey } from '../../../../schemas/generated/api-key.js';

/** The key topic and a view of it. As in the real view, a revoked key stays revoked. */
function keyTopic() {
  const appended: ApiKey[] = [];
  const view = new Map<string, ApiKey>();
  const keys: AccessKeys = {
    find: (id) => view.get(id),
    list: (workspace) => [...view.values()].filter((key) => key.workspace === workspace),
    remove(id) {
      view.delete(id);
      return Promise.resolve();
    },
    put(key) {
      appended.push(key);
      const revokedAt = view.get(key.key_id)?.revoked_at ?? null;
      view.set(key.key_id, { ...key, revoked_at: key.revoked_at ?? revokedAt });
      return Promise.resolve();
    },
  };
  return { keys, appended };
}

const request = { name: 'n', scopes: ['metrics'], expiresAt: null } as const;

describe('an API key', () => {
  it('gets a new secret by rotation', async () => {
    const { keys } = keyTopic();
    const { key, token } = await createKey(keys, 'acme', request, 1);
    const rotated = await rotateKey(keys, key.key_id, 'acme', 2);
    assert.notEqual(rotated.token, token);
    assert.equal(stateOf(rotated.key, 3), 'active');
  });

  it('that is revoked while it is rotated stays revoked, for later readers of the topic too', async () => {
    const { keys, appended } = keyTopic();
    const { key } = await createKey(keys, 'acme', request, 1);
    const put = keys.put.bind(keys);
    let racing = false;
    keys.put = async (state) => {
      if (!racing) {
        racing = true;
        await revokeKey(keys, key.key_id, 'acme', 5);
      }
      await put(state);
    };
    await assert.rejects(rotateKey(keys, key.key_id, 'acme', 5), /was revoked/);
    assert.equal(appended.at(-1)?.revoked_at, 5_000);
  });

  it('can be created while its workspace has fewer than a thousand valid keys', async () => {
    const { keys } = keyTopic();
    const made = [];
    for (let count = 0; count < 1_000; count++) made.push(await createKey(keys, 'acme', request, 1));
    await assert.rejects(createKey(keys, 'acme', request, 1), { code: 'KEYS_FULL' });
    await createKey(keys, 'other', request, 1);
    await revokeKey(keys, made[0]?.key.key_id ?? '', 'acme', 2);
    await createKey(keys, 'acme', request, 3);
  });

  it('is forgotten, however it ended, once a thousand later keys of its workspace have ended', async () => {
    const { keys } = keyTopic();
    const other = await createKey(keys, 'other', { ...request, expiresAt: 2 }, 1);
    const [expired, revoked] = [
      await createKey(keys, 'acme', { ...request, expiresAt: 2 }, 1),
      await createKey(keys, 'acme', request, 1),
    ];
    await revokeKey(keys, revoked.key.key_id, 'acme', 3);
    const lasting = await createKey(keys, 'acme', request, 4);
    for (let now = 5; now < 5 + 1_002; now++) {
      const { key } = await createKey(keys, 'acme', request, now);
      await revokeKey(keys, key.key_id, 'acme', now);
    }
    assert.equal(keys.list('acme').length, 1_000 + 2);
    assert.equal(keys.find(expired.key.key_id), undefined);
    assert.equal(keys.find(revoked.key.key_id), undefined);
    assert.ok(keys.find(lasting.key.key_id));
    assert.ok(keys.find(other.key.key_id));
  });
});
