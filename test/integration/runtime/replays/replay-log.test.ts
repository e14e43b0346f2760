import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { TelltaleError } from '../../../../runtime/errors.js';
import { silentLogger, type Logger } from '../../../../runtime/logging.js';
import { openCodec } from '../../../../runtime/registry/codec.js';
import { connectRegistry } from '../../../../runtime/registry/registry.js';
import {
  readReplays,
  TakenReplay,
  type ReplayLogOptions,
  type ReplayState,
} from '../../../../runtime/replays/replay-log.js';
import { startReplayRunner } from '../../../../runtime/replays/replay-runner.js';
import { replays } from '../../../../topics/replays.js';
import { applyTopics } from '../../../support/applied.js';
import { accessTo } from '../../../support/kafka.js';
import { theStack } from '../../../support/stack.js';
import { until } from '../../../support/until.js';

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

  it('gives a replay to a process that asks for it, even if its worker commits all the time', async () => {
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

  it('leaves a replay to the process that has just taken it, even if another still sees it queued', async () => {
    const id = `log-${randomUUID()}`;
    const asked = await TakenReplay.take(options, id, () => ({ ...stateOf(id), status: 'queued' }));
    await asked.release();
    const queued = [asked.state];
    const events: string[] = [];
    const begun: string[] = [];
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const processOf = (name: string) => {
      const logger = Object.assign(Object.create(silentLogger), {
        info: ({ event }: { event: string }) => events.push(`${name} ${event}`),
      }) as Logger;
      let isTried = false;
      return startReplayRunner({
        log: options,
        writesOf: () => [],
        replays: () => (isTried ? [] : queued),
        isOwn: () => (isTried = true),
        work: () => (begun.push(name), finished),
        silentMs: 30_000,
        logger,
      });
    };
    const first = processOf('first');
    await until('the first works on it', () => Promise.resolve(begun.length > 0));
    const second = processOf('second');
    await until('the second leaves it', () => Promise.resolve(events.includes('second replay-not-acquired')));
    finish();
    await until('the first has done it', async () => {
      const all = await readReplays(options.access, options.codec);
      return all.get(id)?.status === 'done';
    });
    await first.stop();
    await second.stop();
    assert.deepEqual(begun, ['first']);
  });
});
