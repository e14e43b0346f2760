import assert from 'node:assert/strict';
import { keysCommand } from '../../../../cli/commands/keys.js';
import { Authentication } from '../../../../http-edge/http/authentication.js';
import { TelltaleError } from '../../../../runtime/errors.js';
import { createInMemoryPorts } from '../../../support/in-memory-ports.js';

interface Printed {
  readonly key: string;
  readonly key_id: string;
  readonly state: string;
  readonly workspace: string;
  readonly expires_at: string | null;
  readonly keys: readonly Printed[];
}

describe('telltale keys', () => {
  const { accessKeys } = createInMemoryPorts();
  let closed = 0;
  let lastUse: (keyId: string) => number | null = () => null;

  async function run(...args: readonly string[]): Promise<string> {
    const printed: string[] = [];
    const close = (): Promise<void> => {
      closed += 1;
      return Promise.resolve();
    };
    const command = keysCommand({
      open: () =>
        Promise.resolve({ keys: accessKeys, uses: () => Promise.resolve({ last: lastUse }), close }),
      print: (text) => printed.push(text),
    });
    await command.parseAsync(args, { from: 'user' });
    return printed.join('\n');
  }
  const runJson = async (...args: readonly string[]): Promise<Printed> =>
    JSON.parse(await run(...args, '--json')) as Printed;
  const isTaken = (token: string): boolean => {
    try {
      new Authentication(accessKeys, Date.now).authenticate(`Bearer ${token}`, ['metrics']);
      return true;
    } catch {
      return false;
    }
  };

  it('makes, lists, rotates and revokes a key', async () => {
    const made = await runJson('create', '--name', 'ci', '--workspace', 'acme', '--expires', '90d');
    assert.match(made.key, /^tt_[a-z2-7]{12}_[\w-]{43}$/);
    assert.ok(isTaken(made.key));

    const listed = await run('list', '--workspace', 'acme');
    assert.ok(listed.includes(made.key_id) && !listed.includes(made.key));
    assert.match(listed, /no known use$/);
    lastUse = (keyId) => (keyId === made.key_id ? Date.parse('2026-01-02T03:04:05Z') : null);
    assert.match(await run('list', '--workspace', 'acme'), /last used 2026-01-02T03:04:05.000Z$/);
    assert.deepEqual((await runJson('list', '--workspace', 'other')).keys, []);

    const rotated = await runJson('rotate', made.key_id);
    assert.equal(rotated.key_id, made.key_id);
    assert.deepEqual([isTaken(made.key), isTaken(rotated.key)], [false, true]);

    assert.equal((await runJson('revoke', made.key_id)).state, 'revoked');
    assert.equal(isTaken(rotated.key), false);
    await assert.rejects(run('rotate', made.key_id), hasCode('KEY_ENDED'));
    assert.equal(closed, 7);
  });

  it('keeps no secret', () => {
    assert.doesNotMatch(JSON.stringify(accessKeys.list()), /"secret"|tt_/);
  });

  it('says what is wrong with a request', async () => {
    await assert.rejects(run('create', '--name', 'x', '--scopes', 'metrics,root'), hasCode('KEY_INVALID'));
    await assert.rejects(run('create', '--name', 'x', '--expires', '2001-01-01'), hasCode('KEY_INVALID'));
    await assert.rejects(run('create', '--name', 'x', '--workspace', 'a b'), hasCode('KEY_INVALID'));
    await assert.rejects(run('revoke', 'nobody'), hasCode('KEY_UNKNOWN'));
    const mine = await runJson('create', '--name', 'x', '--workspace', 'acme');
    await assert.rejects(run('revoke', mine.key_id, '--workspace', 'other'), hasCode('KEY_UNKNOWN'));
  });

  function hasCode(code: string): (error: unknown) => boolean {
    return (error) => error instanceof TelltaleError && error.code === code;
  }
});
