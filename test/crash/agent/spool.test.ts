import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { agentConfig } from '../../../agent/config.js';
import { liveConfig } from '../../../agent/live-config.js';
import { startForwarder } from '../../../agent/forwarder/forwarder.js';
import { silentLogger } from '../../../runtime/logging.js';
import { createMetrics } from '../../../runtime/metrics.js';
import { atScale } from '../../support/scale.js';
import { StubServer } from '../../support/stub-server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const rounds = atScale(6, 12);
const numbersOfRound = 1_000_000;
const program = fileURLToPath(new URL('../../support/spool-process.js', import.meta.url));

describe('the spool of an agent that is killed again and again', () => {
  const folder = temporaryFolder();
  const server = new StubServer();
  before(() => server.start());
  after(() => server.stop());

  /** Lets a process put numbers until it is killed; adds the acknowledged ones to `acknowledged`. */
  async function liveAndDie(round: number, acknowledged: number[]): Promise<void> {
    const child: ChildProcess = spawn(
      process.execPath,
      [program, folder(), server.url, String(round * numbersOfRound)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const { stdout } = child;
    assert.ok(stdout !== null);
    const closed = once(child, 'close');
    let printed = '';
    stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    await Promise.race([once(stdout, 'data'), closed]);
    await sleep(Math.random() * 120);
    child.kill('SIGKILL');
    await closed;
    assert.equal(child.signalCode, 'SIGKILL', 'the process ended by itself');
    const lines = printed.split('\n').slice(0, -1); // the last one is empty or truncated
    acknowledged.push(...lines.flatMap((line) => line.split(',').map(Number)));
  }

  it('delivers each acknowledged number to the server once, in order', async () => {
    let batches = 0;
    server.answer = () => {
      batches += 1;
      if (batches % 5 === 0) return { status: 503 };
      return batches % 3 === 0 ? { status: 200, cut: true, taken: true } : undefined;
    };
    const acknowledged: number[] = [];
    for (let round = 1; round <= rounds; round++) await liveAndDie(round, acknowledged);

    server.answer = () => undefined;
    const settings = { AGENT_FOLDER: folder(), AGENT_SERVER_URL: server.url, AGENT_API_KEY: 'tt_a_b' };
    const forwarder = await startForwarder({
      config: liveConfig(agentConfig.parse({ ...settings, AGENT_SEND_EVERY_MS: 5 })),
      logger: silentLogger,
      metrics: createMetrics(),
    });
    const unsent = (): number =>
      (forwarder.status() as { forwarder: { datasets: { events: { unsent_bytes: number } } } }).forwarder
        .datasets.events.unsent_bytes;
    while (unsent() > 0) await sleep(20);
    await forwarder.stop();

    const stored = server.stored('events').map((item) => (item as { n: number }).n);
    assert.deepEqual(
      stored,
      [...new Set(stored)].sort((a, b) => a - b),
      'once, and in order',
    );
    const arrived = new Set(stored);
    const missing = acknowledged.filter((n) => !arrived.has(n));
    assert.deepEqual(missing.slice(0, 5), [], `${missing.length} of ${acknowledged.length} are missing`);
    assert.ok(acknowledged.length > rounds * 10, `only ${acknowledged.length} were acknowledged`);
  });
});
