import assert from 'node:assert/strict';
import { Authentication } from '../../../http-edge/http/authentication.js';
import { openAccessKeysSession, type AccessKeysSession } from '../../../cli/access-keys-session.js';
import { applyTopics } from '../../support/applied.js';
import { runCommand } from '../../support/commands.js';
import { stackEnvironment } from '../../support/roles.js';
import { theStack } from '../../support/stack.js';
import { secondLongest, turnsOf } from '../../support/figures.js';
import { until } from '../../support/until.js';

interface Printed {
  readonly key: string;
  readonly key_id: string;
  readonly keys: readonly { key_id: string; state: string }[];
}

describe('telltale keys, on real Kafka', () => {
  let environment: Record<string, string>;
  let follower: AccessKeysSession;

  before(async () => {
    const stack = await theStack();
    environment = stackEnvironment(stack);
    await applyTopics(stack);
    follower = await openAccessKeysSession(environment);
  });
  after(() => follower.close());

  const run = async (...args: readonly string[]): Promise<Printed> =>
    JSON.parse(await runCommand(['keys', ...args, '--json'], environment)) as Printed;
  const isTaken = (token: string): boolean => {
    try {
      new Authentication(follower.keys, Date.now).authenticate(`Bearer ${token}`, ['metrics']);
      return true;
    } catch {
      return false;
    }
  };
  const timeUntil = (holds: () => boolean): Promise<number> =>
    turnsOf(until('the change is followed', holds));

  it('makes, rotates and revokes a key, which another process follows within a second', async () => {
    const ids: string[] = [];
    const times: number[] = [];
    for (let tried = 0; tried < 2; tried += 1) {
      const made = await run('create', '--name', 'ci', '--workspace', 'cli-test');
      ids.push(made.key_id);
      times.push(await timeUntil(() => isTaken(made.key)));
      const rotated = await run('rotate', made.key_id);
      times.push(await timeUntil(() => !isTaken(made.key) && isTaken(rotated.key)));
      await run('revoke', made.key_id);
      times.push(await timeUntil(() => !isTaken(rotated.key)));
    }
    assert.ok(secondLongest(times) < 1_000, `${times.join(', ')} ms`);
    const { keys } = await run('list', '--workspace', 'cli-test');
    assert.deepEqual(
      keys.map(({ key_id, state }) => [key_id, state]).sort(),
      ids.map((id) => [id, 'revoked']).sort(),
    );
  });
});
