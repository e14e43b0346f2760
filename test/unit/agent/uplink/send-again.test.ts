import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { agentConfig, type AgentConfig } from '../../../../agent/config.js';
import { sendAgain, type SentAgain } from '../../../../agent/uplink/send-again.js';
import { createSetAside } from '../../../../agent/uplink/set-aside.js';
import { StubServer } from '../../../support/stub-server.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const items = 103;
const numbers = Array.from({ length: items }, (_, n) => ({ n, text: 'a ,"item":{} in a text' }));

describe('sending again what was set aside', () => {
  const folder = temporaryFolder();
  let server: StubServer;
  beforeEach(async () => {
    server = new StubServer();
    await server.start();
    const setAside = createSetAside(join(folder(), 'set-aside'));
    for (const item of numbers)
      await setAside.keep({
        at: '2026-01-01T00:00:00.000Z',
        dataset: 'events',
        batch: 'a/1',
        reason: '404: says ,"item": itself',
        lines: [JSON.stringify(item)],
      });
  });
  afterEach(() => server.stop());

  const config = (): AgentConfig =>
    agentConfig.parse({ AGENT_FOLDER: folder(), AGENT_SERVER_URL: server.url, AGENT_API_KEY: 'tt_a_b' });
  const left = (): readonly string[] => readdirSync(join(folder(), 'set-aside'));
  const outcome = (arrived: number, refused = 0, reason?: string): readonly SentAgain[] => [
    { dataset: 'events', arrived, refused, reason, obstacle: undefined },
  ];

  it('brings every item to the server, and leaves nothing behind', async () => {
    assert.deepEqual(await sendAgain(config()), outcome(items));
    assert.deepEqual(server.stored('events'), numbers);
    assert.deepEqual(left(), []);
    assert.deepEqual(await sendAgain(config()), []);
  });

  it('sets aside again what is refused again, alone, with its reason', async () => {
    server.answer = ({ body }) =>
      body.includes('"n":50,') ? { status: 422, body: '{"detail":"still from Mars"}' } : undefined;
    assert.deepEqual(await sendAgain(config()), outcome(items - 1, 1, '422: still from Mars'));
    assert.deepEqual(
      server.stored('events'),
      numbers.filter(({ n }) => n !== 50),
    );
    assert.deepEqual(left(), ['events.ndjson']);
    server.answer = () => undefined;
    assert.deepEqual(await sendAgain(config()), outcome(1));
  });

  it('keeps what can not be sent now for the next time, and stores nothing twice', async () => {
    let batches = 0;
    server.answer = () => {
      batches += 1;
      return batches < 3 ? undefined : { status: 503, taken: batches === 3 };
    };
    const [broken] = await sendAgain(config());
    assert.match(broken?.obstacle ?? '', /503/);
    assert.equal(left().length, 1);
    server.answer = () => undefined;
    assert.deepEqual(await sendAgain(config()), outcome(items));
    assert.deepEqual(server.stored('events'), numbers);
    assert.deepEqual(left(), []);
  });
});
