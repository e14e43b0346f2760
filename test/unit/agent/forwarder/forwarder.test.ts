import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentConfig, type AgentConfig } from '../../../../agent/config.js';
import { liveConfig, type SettableConfig } from '../../../../agent/live-config.js';
import type { DatasetStatus } from '../../../../agent/forwarder/progress.js';
import { startForwarder, type Forwarder } from '../../../../agent/forwarder/forwarder.js';
import { silentLogger } from '../../../../runtime/logging.js';
import { createMetrics, type Metrics } from '../../../../runtime/metrics.js';
import { refusal, StubServer } from '../../../support/stub-server.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { until as eventually } from '../../../support/until.js';

const patient = { first: 5, longest: 20, slow: 60_000 };
const quick = { first: 5, longest: 20, slow: 20 };

const until = (condition: () => boolean | Promise<boolean>): Promise<void> =>
  eventually(condition.toString(), condition);

const numbers = (from: number, count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({ n: from + index }));

describe('the forwarder', () => {
  const folder = temporaryFolder();
  let server: StubServer;
  let config: SettableConfig;
  let forwarder: Forwarder;
  let metrics: Metrics;

  const start = async (changes: Partial<AgentConfig> = {}, timing = patient): Promise<void> => {
    const settings = { AGENT_FOLDER: folder(), AGENT_SERVER_URL: server.url, AGENT_API_KEY: 'tt_a_b' };
    config = liveConfig({ ...agentConfig.parse({ ...settings, AGENT_SEND_EVERY_MS: 5 }), ...changes });
    metrics = createMetrics();
    forwarder = await startForwarder({ config, logger: silentLogger, metrics, timing });
  };
  const status = (dataset = 'events'): DatasetStatus => {
    const { forwarder: found } = forwarder.status() as {
      forwarder: { datasets: Record<string, DatasetStatus> };
    };
    const one = found.datasets[dataset];
    assert.ok(one !== undefined);
    return one;
  };

  beforeEach(async () => {
    server = new StubServer();
    await server.start();
  });
  afterEach(async () => {
    await forwarder.stop();
    await server.stop();
  });

  it('brings what was put to the server, with its key, over connections that stay open', async () => {
    await start();
    for (let n = 0; n < 20; n++) {
      await forwarder.outbox.put('events', [{ n }]);
      await until(() => server.stored('events').length === n + 1);
    }
    assert.deepEqual(server.stored('events'), numbers(0, 20));
    assert.ok(server.keys.every((key) => key === 'Bearer tt_a_b'));
    assert.equal(server.connections, 1);
    assert.deepEqual(
      server.batches.map(({ id }) => Number(id.split('/')[1])),
      Array.from({ length: server.batches.length }, (_, index) => index + 1),
    );
  });

  it('sends a batch again under its id until it is answered, and the server stores it once', async () => {
    const told = [{ status: 503, taken: true }, { status: 200, cut: true, taken: true }, { status: 429 }];
    server.answer = () => told.shift();
    await start();
    await forwarder.outbox.put('events', numbers(0, 3));
    await forwarder.outbox.put('events', numbers(3, 1));
    await until(() => server.stored('events').length === 4);
    assert.deepEqual(server.stored('events'), numbers(0, 4));
    assert.equal(new Set(server.batches.slice(0, 4).map(({ id }) => id)).size, 1);
  });

  it('reports what waits, since when and why, until it has arrived', async () => {
    server.answer = () => ({ status: 503, body: '{"detail":"away"}' });
    await start({}, quick);
    const before = Date.now();
    await forwarder.outbox.put('events', numbers(0, 3));
    await until(() => forwarder.report().datasets[0]?.reason === '503: away');
    const { spool } = forwarder.report();
    assert.ok(spool.unsent_bytes > 0 && spool.bytes >= spool.unsent_bytes);
    assert.ok(spool.oldest_at !== null && spool.oldest_at >= before && spool.oldest_at <= Date.now());
    server.answer = () => undefined;
    await until(() => forwarder.report().spool.unsent_bytes === 0);
    assert.equal(forwarder.report().spool.oldest_at, null);
    assert.equal(forwarder.report().datasets[0]?.reason, null);
  });

  it('obeys Retry-After', async () => {
    let first = true;
    server.answer = () => {
      if (!first) return undefined;
      first = false;
      return { status: 503, headers: { 'retry-after': '1' } };
    };
    await start();
    const began = Date.now();
    await forwarder.outbox.put('events', numbers(0, 1));
    await until(() => server.stored('events').length === 1);
    assert.ok(Date.now() - began >= 990);
  });

  it('outlasts an outage and a restart of its own, in order', async () => {
    await server.stop();
    await start();
    for (let n = 0; n < 50; n++) await forwarder.outbox.put('events', [{ n }]);
    await until(() => status().state === 'waiting to try again');
    assert.match(status().last_error?.reason ?? '', /cannot be reached/);
    await forwarder.stop();
    server = new StubServer();
    await server.start();
    await start();
    await forwarder.outbox.put('events', [{ n: 50 }]);
    await until(() => server.stored('events').length === 51);
    assert.deepEqual(server.stored('events'), numbers(0, 51));
    await until(() => status().unsent_bytes === 0);
  });

  it('quarantines what the server will never accept, with its reason, and continues with the rest', async () => {
    const poison = '"n":1}';
    server.answer = ({ body }) =>
      body.includes(poison) ? refusal('invalid', 'the event is from Mars') : undefined;
    await start({ AGENT_BATCH_ITEMS: 1 });
    await forwarder.outbox.put('events', numbers(0, 3));
    await until(() => server.stored('events').length === 2);
    assert.deepEqual(server.stored('events'), [{ n: 0 }, { n: 2 }]);
    assert.equal(status().items_quarantined, 1);
    const kept = JSON.parse(readFileSync(join(folder(), 'quarantine', 'events.ndjson'), 'utf8')) as object;
    const { reason, item } = kept as { reason: string; item: object };
    assert.match(reason, /422: the event is from Mars/);
    assert.deepEqual(item, { n: 1 });
  });

  it('splits a batch that is too big before it quarantines anything', async () => {
    const tooBig = refusal('body-too-large', 'no more than 16 bytes');
    server.answer = ({ body, items }) => (items > 2 || body.includes('"n":5}') ? tooBig : undefined);
    await start();
    await forwarder.outbox.put('events', numbers(0, 9));
    await until(() => server.stored('events').length === 8);
    assert.deepEqual(
      server.stored('events'),
      numbers(0, 9).filter((_, n) => n !== 5),
    );
    assert.equal(status().items_quarantined, 1);
  });

  it('keeps single items that the server rejects, and counts them', async () => {
    server.answer = ({ items }) => ({
      status: 200,
      taken: true,
      body: JSON.stringify({
        accepted: items - 1,
        rejected: [{ index: 1, detail: 'no such type' }],
        rejected_count: 1,
      }),
    });
    await start();
    await forwarder.outbox.put('events', numbers(0, 3));
    await until(() => status().items_arrived === 2);
    assert.equal(status().items_rejected, 1);
    const kept = JSON.parse(readFileSync(join(folder(), 'quarantine', 'events.ndjson'), 'utf8')) as {
      item: object;
    };
    assert.deepEqual(kept.item, { n: 1 });
  });

  it('quarantines all items that might have been rejected if the server lists only the first', async () => {
    server.answer = () => ({
      status: 200,
      taken: true,
      body: '{"accepted":1,"rejected":[{"index":1,"detail":"no such type"}],"rejected_count":2}',
    });
    await start();
    await forwarder.outbox.put('events', numbers(0, 3));
    await until(() => status().items_arrived === 1);
    await forwarder.stop();
    const kept = readFileSync(join(folder(), 'quarantine', 'events.ndjson'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { reason: string; item: { n: number } });
    assert.deepEqual(
      kept.map(({ item }) => item.n),
      [1, 0, 2],
    );
    assert.match(kept[2]?.reason ?? '', /^1 of these 2 items .*no such type/);
    await start();
  });

  it('counts an item as lost, not as quarantined, if it cannot be written to disk', async () => {
    server.answer = ({ body }) => (body.includes('"n":1}') ? refusal('invalid', 'no') : undefined);
    writeFileSync(join(folder(), 'quarantine'), 'no folder');
    await start({ AGENT_BATCH_ITEMS: 1 }, { first: 1, longest: 2, slow: 2 });
    await forwarder.outbox.put('events', numbers(0, 3));
    await until(() => server.stored('events').length === 2);
    const { items_lost: lost, items_quarantined: kept, last_error: error } = status();
    assert.deepEqual([lost, kept], [1, 0]);
    assert.match(error?.reason ?? '', /cannot be quarantined/);
  });

  it('pauses longer each time even if the server asks for a retry at once', async () => {
    const answeredAt: number[] = [];
    server.answer = () => {
      answeredAt.push(performance.now());
      return { status: 503, headers: { 'retry-after': '0' } };
    };
    await start({}, { ...patient, first: 5, longest: 80 });
    await forwarder.outbox.put('events', numbers(0, 1));
    await until(() => answeredAt.length >= 8);
    const pauses = answeredAt.slice(1).map((at, index) => at - (answeredAt[index] ?? at));
    const least = pauses.map((_, index) => (2 / 3) * Math.min(80, 5 * 2 ** index)); // a third is jitter
    assert.ok(
      pauses.every((pause, index) => pause >= (least[index] ?? 0) - 2),
      pauses.join(' '),
    );
  });

  it('waits if its key is refused, says what to do, and continues as soon as it has another', async () => {
    server.answer = () => (server.keys.at(-1) === 'Bearer tt_new_key' ? undefined : { status: 401 });
    await start();
    await forwarder.outbox.put('events', numbers(0, 1));
    await until(() => status().last_error !== null);
    assert.match(status().last_error?.reason ?? '', /set AGENT_API_KEY/);
    const tries = server.batches.length;
    await sleep(100);
    assert.equal(server.batches.length, tries, 'it must not hammer');
    config.set({ ...config.current(), AGENT_API_KEY: 'tt_new_key' });
    await until(() => server.stored('events').length === 1);
  });

  it('quarantines a batch that alone is refused, whatever the status, and continues with the rest', async () => {
    for (const code of [400, 403, 404, 409, 413, 415, 418, 422]) {
      server.answer = ({ body }) => (body.includes(`"n":${code}}`) ? { status: code } : undefined);
      await start({ AGENT_BATCH_ITEMS: 1 }, quick);
      const before = server.stored('events').length;
      await forwarder.outbox.put('events', [{ n: 0 }, { n: code }, { n: 1 }]);
      await until(() => server.stored('events').length === before + 2);
      await until(() => status().unsent_bytes === 0);
      const { items_quarantined: count, last_quarantined: last, quarantined_bytes: bytes } = status();
      assert.equal(count, 1);
      assert.match(last?.reason ?? '', new RegExp(String(code)));
      assert.ok(bytes > 50);
      assert.equal(server.batches.filter(({ body }) => body.includes(`"n":${code}}`)).length, 3);
      await forwarder.stop();
    }
    await start();
  });

  it('holds back a dataset, in order and apart from others, until a server at the address accepts it', async () => {
    let older = true;
    const unknown = (dataset: string): boolean => older && dataset === 'spans';
    const { asked } = server;
    server.asked = (dataset) => (unknown(dataset) ? { status: 404 } : asked(dataset));
    server.answer = ({ dataset }) => (unknown(dataset) ? { status: 404 } : undefined);
    await start({ AGENT_BATCH_ITEMS: 1 }, quick);
    await forwarder.outbox.put('spans', numbers(0, 3));
    await forwarder.outbox.put('events', numbers(0, 3));
    const tries = (): number => server.batches.filter(({ dataset }) => dataset === 'spans').length;
    await until(() => server.stored('events').length === 3 && tries() > 5);
    await until(() => status('spans').state === 'held back');
    assert.match(status('spans').last_error?.reason ?? '', /older than this agent/);
    assert.ok(status('spans').held_back_since !== null);
    assert.equal(status('spans').items_quarantined, 0);
    older = false;
    await until(() => server.stored('spans').length === 3);
    assert.deepEqual(server.stored('spans'), numbers(0, 3));
    assert.equal(status('spans').held_back_since, null);
  });

  it('holds back everything if a proxy refuses it, whatever the status', async () => {
    const { asked } = server;
    for (const code of [400, 409, 413, 422]) {
      server.asked = () => ({ status: code });
      server.answer = () => ({ status: code });
      await start({ AGENT_BATCH_ITEMS: 1 }, quick);
      const before = server.stored('events').length;
      const tries = server.batches.length;
      await forwarder.outbox.put('events', numbers(before, 2));
      await until(() => server.batches.length > tries + 3);
      await until(() => status().state === 'held back');
      assert.equal(status().items_quarantined, 0, String(code));
      server.asked = asked;
      server.answer = () => undefined;
      await until(() => status().items_arrived === 2);
      assert.deepEqual(server.stored('events'), numbers(0, before + 2));
      await forwarder.stop();
    }
    await start();
  });

  it('has a batch stored once if its key is replaced by another of the workspace before the answer', async () => {
    let first = true;
    server.answer = () => {
      if (!first) return server.keys.at(-1) === 'Bearer tt_a_b' ? { status: 401 } : undefined;
      first = false;
      config.set({ ...config.current(), AGENT_API_KEY: 'tt_a_c' });
      return { status: 200, cut: true, taken: true };
    };
    await start();
    await forwarder.outbox.put('events', numbers(0, 3));
    await until(() => status().items_arrived === 3);
    assert.deepEqual(server.stored('events'), numbers(0, 3));
    assert.deepEqual([...new Set(server.keys)], ['Bearer tt_a_b', 'Bearer tt_a_c']);
  });

  it('treats a batch as arrived if the disk damages it after the server has stored it', async () => {
    server.answer = () => ({ status: 200, cut: true, taken: true });
    await start();
    await Promise.all([1, 2, 3].map((n) => forwarder.outbox.put('events', [{ n }])));
    await until(() => server.batches.length > 1);
    await forwarder.stop();
    const before = server.stored('events').length;
    const events = join(folder(), 'spool', 'events');
    const [segment = ''] = readdirSync(events).filter((name) => name.endsWith('.segment'));
    const bytes = readFileSync(join(events, segment));
    bytes.writeUInt8(0, 20);
    writeFileSync(join(events, segment), bytes);
    server.answer = () => undefined;
    await start();
    await forwarder.outbox.put('events', [{ n: 4 }]);
    await until(() => status().unsent_bytes === 0);
    assert.ok(status().lost_bytes > 0);
    const stored = server.stored('events') as { n: number }[];
    assert.equal(stored.length, new Set(stored.map(({ n }) => n)).size, 'something is stored twice');
    assert.ok(before >= 1 && stored.at(-1)?.n === 4);
  });

  it('takes a new spool id if another spool uses the same one', async () => {
    await start();
    await forwarder.outbox.put('events', numbers(0, 1));
    await until(() => status().items_arrived === 1);
    const spool = server.batches[0]?.id.split('/')[0] ?? '';
    // A copy of the folder has continued under the same id.
    server.memory.take({
      dataset: 'events',
      id: `${spool}/7`,
      items: 1,
      body: Buffer.from('{"n":100}\n'),
      damaged: false,
    });
    await forwarder.outbox.put('events', numbers(1, 2));
    await until(() => status().items_arrived === 3);
    assert.deepEqual(server.stored('events'), [{ n: 0 }, { n: 100 }, { n: 1 }, { n: 2 }]);
    assert.notEqual(server.batches.at(-1)?.id.split('/')[0], spool);
  });

  it('holds up no dataset for another', async () => {
    server.answer = ({ dataset }) => (dataset === 'spans' ? { status: 503 } : undefined);
    await start();
    await forwarder.outbox.put('spans', numbers(0, 1));
    await forwarder.outbox.put('events', numbers(0, 1));
    await until(() => server.stored('events').length === 1);
    assert.equal(server.stored('spans').length, 0);
  });

  it('tells how much the spool holds when it fills, after a restart, and when it is drained', async () => {
    const figure = async (name: string): Promise<number> => {
      const found = await metrics.registry.getSingleMetric(name)?.get();
      return (found?.values ?? []).reduce((sum, { value }) => sum + value, 0);
    };
    let up = false;
    server.answer = () => (up ? undefined : { status: 503 });
    await start({ AGENT_SPOOL_BYTES: 32_000 });
    for (let n = 0; n < 10; n++) await forwarder.outbox.put('events', [{ n, text: 'x'.repeat(1_000) }]);
    assert.ok((await figure('telltale_agent_spool_bytes')) > 10_000);
    assert.ok((await figure('telltale_agent_unsent_bytes')) > 10_000);
    await forwarder.stop();
    await start({ AGENT_SPOOL_BYTES: 32_000 });
    assert.ok((await figure('telltale_agent_spool_bytes')) > 10_000);
    assert.ok((await figure('telltale_agent_unsent_bytes')) > 10_000);
    up = true;
    await until(() => status().unsent_bytes === 0);
    await until(async () => (await figure('telltale_agent_spool_bytes')) <= 2_000);
    assert.equal(await figure('telltale_agent_unsent_bytes'), 0);
  });

  it('keeps a second agent out of its folder', async () => {
    await start();
    const other = startForwarder({ config, logger: silentLogger, metrics: createMetrics() });
    await assert.rejects(other, { code: 'FOLDER_TAKEN' });
  });
});
