import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { TelltaleError } from '../../../../runtime/errors.js';
import { openCodec } from '../../../../runtime/registry/codec.js';
import { connectRegistry } from '../../../../runtime/registry/registry.js';
import {
  TakenReplay,
  type ReplayLogOptions,
  type ReplayState,
} from '../../../../runtime/replays/replay-log.js';
import { replays } from '../../../../topics/replays.js';
import { applyTopics } from '../../../support/applied.js';
import { accessTo } from '../../../support/kafka.js';
import { theStack } from '../../../support/stack.js';

const isTaken = (error: unknown): boolean => error instanceof TelltaleError && error.code === 'REPLAY_TAKEN';

describe('the log of replays', () => {
  let options: ReplayLogOptions;

  before(async () => {
    const stack = await theStack();
    await applyTopics(stack);
    const codec = await openCodec(replays, connectRegistry(stack.registryConfig));
    options = { access: accessTo(stack.brokers), codec, writes: [], operator: 'a test' };
  });

  const stateOf = (id: string): ReplayState => ({
    id,
    kind: 'import',
    what: 'a test',
    status: 'running',
    parameters: '{}',
    progress: '{}',
    records: 0,
    total: null,
    failures: 0,
    rate: null,
    reason: null,
    created_at: 1,
  });

  it('gives a replay to who asks for it, though the one that works on it commits all the time', async () => {
    for (let round = 0; round < 5; round++) {
      const id = `log-${randomUUID()}`;
      const worker = await TakenReplay.take(options, id, () => stateOf(id));
      const stop = new AbortController();
      const worked = (async () => {
        while (!stop.signal.aborted)
          await worker.commit([], { ...stateOf(id), records: worker.state.records + 1 });
      })();
      worked.catch(() => undefined);
      try {
        await delay(300);
        const pauser = await TakenReplay.take(options, id, (found) => ({
          ...(found ?? stateOf(id)),
          status: 'paused',
        }));
        await pauser.release();
        await assert.rejects(worked, isTaken);
        assert.equal(pauser.state.status, 'paused');
        assert.ok(pauser.state.records > 0, 'nothing was worked on');
      } finally {
        stop.abort();
        await worker.release();
      }
    }
  });
});
