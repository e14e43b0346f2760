import { setTimeout as sleep } from 'node:timers/promises';
import { agentConfig } from '../../agent/config.js';
import { liveConfig } from '../../agent/live-config.js';
import { startForwarder } from '../../agent/forwarder/forwarder.js';
import { silentLogger } from '../../runtime/logging.js';
import { createMetrics } from '../../runtime/metrics.js';

/**
 * An agent's spool and forwarder as a process to be killed. It puts consecutive numbers, as fast as it can,
 * and prints each line of numbers that it could acknowledge to a client. It prints to a stream, because a
 * full pipe refuses synchronous writes (EAGAIN).
 */
const [folder = '', server = '', first = '0'] = process.argv.slice(2);

const config = agentConfig.parse({
  AGENT_FOLDER: folder,
  AGENT_SERVER_URL: server,
  AGENT_API_KEY: 'tt_a_b',
  AGENT_SPOOL_BYTES: 4 * 1024 * 1024,
  AGENT_SEND_EVERY_MS: 5,
});
const timing = { first: 5, longest: 20, slow: 50 };
const { outbox } = await startForwarder({
  config: liveConfig(config),
  logger: silentLogger,
  metrics: createMetrics(),
  timing,
});

const clients = 4;
const largestPut = 20;
let next = Number(first);

async function client(): Promise<never> {
  for (;;) {
    const count = 1 + Math.floor(Math.random() * largestPut);
    const items = Array.from({ length: count }, (_, index) => ({ n: next + index, text: 'x'.repeat(100) }));
    next += count;
    await outbox.put('events', items).then(
      () => process.stdout.write(`${items.map(({ n }) => n).join()}\n`),
      () => sleep(2),
    );
  }
}

await Promise.all(Array.from({ length: clients }, client));
