import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HostileRequest } from '../../support/hostile-bodies.js';
import { hostileCorpus } from '../../support/hostile-corpus.js';
import type { MeteredServers } from '../../support/metered-servers.js';
import { meterTurns } from '../../support/turn-meter.js';

/** The most processor time that one turn of the event loop may take, whatever a request contains. */
const mostMs = 50;
/** Compilation and garbage collection lengthen a turn once; a fault in the code lengthens it each time. */
const tries = 10;

describe('a turn of the event loop, in edge and agent,', () => {
  let child: ChildProcess;
  let servers: MeteredServers;

  before(async () => {
    child = fork(new URL('../../support/metered-servers.js', import.meta.url));
    [servers] = (await once(child, 'message')) as [MeteredServers];
  });
  after(() => child.disconnect());

  async function largestTurn(): Promise<number> {
    const answer = once(child, 'message');
    child.send('how long?');
    const [ms] = (await answer) as [number];
    return ms;
  }

  function send(
    { server, method, path, headers }: HostileRequest,
    body: Buffer | undefined,
  ): Promise<number> {
    return new Promise((resolve, reject) => {
      const authorization = `Bearer ${servers.token}`;
      const sent = httpRequest(servers[server] + path, { method, headers: { authorization, ...headers } });
      sent.on('response', (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  for (const hostile of hostileCorpus())
    describe(`of ${hostile.name}`, () => {
      it('takes no more processor time than allowed', async () => {
        const body = hostile.body?.();
        let least = Infinity;
        for (let tried = 0; tried < tries && least > mostMs; tried++) {
          await largestTurn();
          const status = await send(hostile, body);
          assert.ok(status < 500, `answered ${status}`);
          least = Math.min(least, await largestTurn());
        }
        assert.ok(least <= mostMs, `a turn took ${least.toFixed(0)} ms of processor time`);
      });
    });
});

describe('the meter of turns', () => {
  it('detects a turn that takes longer than allowed', async () => {
    const meter = meterTurns();
    await nextTurn();
    const before = process.cpuUsage();
    while (process.cpuUsage(before).user < (mostMs + 10) * 1_000);
    await nextTurn();
    await nextTurn();
    assert.ok(meter.largest() > mostMs, String(meter.largest()));
  });
});
