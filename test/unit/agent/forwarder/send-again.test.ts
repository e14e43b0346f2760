import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { agentConfig, type AgentConfig } from '../../../../agent/config.js';
import { sendAgain, type SentAgain } from '../../../../agent/forwarder/send-again.js';
import type { TelltaleError } from '../../../../runtime/errors.js';
import { createQuarantine } from '../../../../agent/forwarder/quarantine.js';
import type { Batch } from '../../../../agent/spool/sender.js';
import { refusal, StubServer, type StubAnswer } from '../../../support/stub-server.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const items = 103;
const numbers = Array.from({ length: items }, (_, n) => ({ n, text: 'a ,"item":{} in a text' }));

const itemsOfBody = (body: Buffer): { n: number }[] =>
  body
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { n: number });

describe('sending again what was quarantined', () => {
  const folder = temporaryFolder();
  let server: StubServer;
  beforeEach(async () => {
    server = new StubServer();
    await server.start();
    const quarantine = createQuarantine(join(folder(), 'quarantine'));
    for (const item of numbers)
      await quarantine.keep({
        at: '2026-01-01T00:00:00.000Z',
        dataset: 'events',
        batch: 'a/1',
        reason: '404: says ,"item": itself',
        items: [{ index: item.n, line: JSON.stringify(item) }],
      });
  });
  afterEach(() => server.stop());

  const config = (): AgentConfig =>
    agentConfig.parse({ AGENT_FOLDER: folder(), AGENT_SERVER_URL: server.url, AGENT_API_KEY: 'tt_a_b' });
  const left = (): readonly string[] => readdirSync(join(folder(), 'quarantine'));
  const outcome = (arrived: number, refused = 0, reason?: string): readonly SentAgain[] => [
    { dataset: 'events', arrived, refused, reason, unreadable: 0, obstacle: undefined },
  ];

  it('brings every item to the server, and leaves nothing behind', async () => {
    assert.deepEqual(await sendAgain(config()), outcome(items));
    assert.deepEqual(server.stored('events'), numbers);
    assert.deepEqual(left(), []);
    assert.deepEqual(await sendAgain(config()), []);
  });

  it('refuses to run if no agent keeps its data in the folder, and names the folder', async () => {
    const elsewhere = join(folder(), 'elsewhere');
    const sending = sendAgain({ ...config(), AGENT_FOLDER: elsewhere });
    await assert.rejects(sending, ({ code, message }: TelltaleError) => {
      assert.equal(code, 'QUARANTINE_UNUSABLE');
      return message.includes(elsewhere) && message.includes('AGENT_FOLDER');
    });
    const empty = mkdtempSync(join(folder(), 'empty-'));
    assert.deepEqual(await sendAgain({ ...config(), AGENT_FOLDER: empty }), []);
  });

  it("refuses to run as a user other than the agent's before it touches anything, and says which to use", async () => {
    const { uid } = statSync(join(folder(), 'quarantine'));
    const sending = sendAgain(config(), uid + 1);
    await assert.rejects(sending, ({ code, message }: TelltaleError) => {
      assert.equal(code, 'QUARANTINE_UNUSABLE');
      return message.includes(`sudo -u '#${uid}'`);
    });
    assert.deepEqual(left(), ['events.ndjson']);
    assert.equal(server.batches.length, 0);
  });

  it('says what to do if it may not read the files', async () => {
    const isRoot = process.geteuid?.() === 0;
    chmodSync(folder(), 0);
    if (isRoot) process.seteuid?.(65_534); // a user to whom file modes apply
    try {
      await assert.rejects(sendAgain(config()), ({ code, message }: TelltaleError) => {
        assert.equal(code, 'QUARANTINE_UNUSABLE');
        return message.includes('EACCES') && message.includes('chown');
      });
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(folder(), 0o700);
    }
  });

  it('quarantines again only what is refused again, with its reason', async () => {
    server.answer = ({ body }) =>
      body.includes('"n":50,') ? refusal('invalid', 'still from Mars') : undefined;
    assert.deepEqual(await sendAgain(config()), outcome(items - 1, 1, '422: still from Mars'));
    assert.deepEqual(
      server.stored('events'),
      numbers.filter(({ n }) => n !== 50),
    );
    assert.deepEqual(left(), ['events.ndjson']);
    server.answer = () => undefined;
    assert.deepEqual(await sendAgain(config()), outcome(1));
  });

  it('keeps everything for the next time if a proxy refuses it, whatever the status', async () => {
    const { asked } = server;
    for (const status of [400, 403, 409, 413, 422]) {
      server.asked = () => ({ status });
      server.answer = () => ({ status });
      const [sent] = await sendAgain(config());
      assert.match(sent?.obstacle ?? '', new RegExp(String(status)));
      assert.deepEqual([sent?.arrived, sent?.refused], [0, 0]);
    }
    server.asked = asked;
    server.answer = () => undefined;
    assert.deepEqual(await sendAgain(config()), outcome(items));
    assert.deepEqual(left(), []);
  });

  it('quarantines again only the items that a proxy refuses if it lets the others pass', async () => {
    for (const status of [400, 403, 413]) {
      server.answer = ({ body }) => (body.includes('"n":50,') ? { status } : undefined);
      const [sent] = await sendAgain(config());
      assert.equal(sent?.refused, 1, String(status));
      assert.deepEqual(left(), ['events.ndjson']);
    }
    assert.equal(server.stored('events').length, items - 1);
  });

  it('keeps what cannot be sent now for the next time, and stores nothing twice', async () => {
    let batches = 0;
    server.answer = () => {
      batches += 1;
      return batches < 3 ? undefined : { status: 503, taken: batches === 3 };
    };
    const [broken] = await sendAgain(config());
    assert.match(broken?.obstacle ?? '', /503/);
    assert.equal(broken?.arrived, 40);
    assert.equal(left().filter((name) => name.endsWith('.again')).length, 1);
    server.answer = () => undefined;
    assert.deepEqual(await sendAgain(config()), outcome(items - 40));
    assert.deepEqual(server.stored('events'), numbers);
    assert.deepEqual(left(), []);
  });

  it('stores nothing twice, wherever a run breaks off, even if the server accepts more the next time', async () => {
    const rejects = ({ body, items: count }: Batch): StubAnswer | undefined => {
      const index = itemsOfBody(body).findIndex(({ n }) => n === 3);
      if (body.includes('"n":25,')) return refusal('invalid', 'from Mars');
      if (index === -1) return undefined;
      const rejected = [{ index, detail: 'from Venus' }];
      return { status: 200, body: JSON.stringify({ accepted: count - 1, rejected, rejected_count: 1 }) };
    };
    for (let answered = 1; answered < 5; answered++) {
      let batches = 0;
      server.answer = (batch) => (++batches > answered ? { status: 503 } : rejects(batch));
      await sendAgain(config());
    }
    server.answer = () => undefined;
    await sendAgain(config());
    const stored = server.stored('events').map((item) => (item as { n: number }).n);
    assert.equal(new Set(stored).size, stored.length, 'something is stored twice');
    assert.ok(stored.includes(3) && stored.includes(25) && stored.includes(102));
  });

  it('sends items once that were quarantined twice because of a crash', async () => {
    const quarantine = createQuarantine(join(folder(), 'quarantine'));
    const twice = { at: '2026-01-01T00:00:01.000Z', dataset: 'events', batch: 'a/1', reason: '404' } as const;
    await quarantine.keep({ ...twice, items: [{ index: 5, line: JSON.stringify(numbers[5]) }] });
    await quarantine.keep({ ...twice, items: [{ index: 500, line: JSON.stringify(numbers[5]) }] });
    assert.deepEqual(await sendAgain(config()), outcome(items + 1));
    assert.deepEqual(server.stored('events'), [...numbers, numbers[5]]);
  });

  it('keeps the rest of a torn entry, and loses no entry after it', async () => {
    const quarantine = createQuarantine(join(folder(), 'quarantine'));
    const path = join(folder(), 'quarantine', 'events.ndjson');
    const whole = readFileSync(path, 'utf8');
    appendFileSync(path, whole.slice(0, 130));
    const entry = { at: '2026-01-01T00:00:01.000Z', dataset: 'events', batch: 'a/2', reason: '404' } as const;
    await quarantine.keep({ ...entry, items: [{ index: 0, line: '{"n":200}' }] });
    const [sent] = await sendAgain(config());
    assert.equal(sent?.arrived, items + 1);
    assert.equal(sent.unreadable, 1);
    assert.deepEqual(server.stored('events').at(-1), { n: 200 });
    assert.deepEqual(left(), ['events.unreadable']);
    assert.equal(
      readFileSync(join(folder(), 'quarantine', 'events.unreadable'), 'utf8'),
      `${whole.slice(0, 130)}\n`,
    );
    assert.equal(quarantine.bytes('events'), 131);
  });
});
