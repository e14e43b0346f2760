import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kafka, Producer } from 'kafkajs';
import { audit } from '../../../runtime/clickhouse/audit.js';
import { closeGate, openGate } from '../../../runtime/clickhouse/gate.js';
import type { ClickHouse } from '../../../runtime/clickhouse/client.js';
import { withAdmin } from '../../../runtime/kafka/client/admin.js';
import type { RunningSink } from '../../../runtime/sink-loop.js';
import { deadLetterHeaders } from '../../../topics/dead-letters.js';
import { accessTo, connectedProducer, plainKafka } from '../../support/kafka.js';
import { theStack, type TestStack } from '../../support/stack.js';
import {
  createView,
  newSamples,
  startSampleSink,
  tallyOf,
  sessionMs,
  type SinkSettings,
  type Tally,
} from '../../support/sink-under-test.js';
import { spawnSink } from '../../support/sink-process.js';
import { sampleBytes, type Sample } from '../../support/samples.js';
import { statementProxy } from '../../support/statement-proxy.js';
import { makeTopic, recordsOf } from '../../support/topic-of-test.js';
import { until } from '../../support/until.js';

describe('the sink loop', () => {
  let stack: TestStack;
  let kafka: Kafka;
  let producer: Producer;
  let settings: SinkSettings;
  let clickhouse: ClickHouse;
  let byMonth: string;
  const sinks = new Set<RunningSink>();

  before(async () => {
    stack = await theStack();
    kafka = plainKafka(stack.brokers);
    producer = await connectedProducer(kafka);
  });
  beforeEach(async () => {
    ({ settings, clickhouse, byMonth } = await newSamples(stack, kafka));
  });
  afterEach(async () => {
    for (const sink of sinks) await stop(sink);
  });
  after(() => producer.disconnect());

  async function start(): Promise<RunningSink> {
    const sink = await startSampleSink(settings, (error) => {
      throw error;
    });
    sinks.add(sink);
    return sink;
  }
  async function stop(sink: RunningSink): Promise<void> {
    sinks.delete(sink);
    await sink.stop();
  }
  async function append(samples: readonly (Sample | string)[], partition?: number): Promise<void> {
    const messages = samples.map((sample) => ({
      key: typeof sample === 'string' ? 'bad' : String(sample.id),
      value: typeof sample === 'string' ? sample : sampleBytes(sample),
      ...(partition === undefined ? {} : { partition }),
    }));
    await producer.send({ topic: settings.topic, messages });
  }
  const samples = (from: number, count: number): Sample[] =>
    Array.from({ length: count }, (_, index) => ({ id: from + index }));
  const tally = (): Promise<Tally> => tallyOf(clickhouse, settings, byMonth);
  async function untilRows(count: number): Promise<void> {
    await until(`${count} rows are there, and in the view`, async () => {
      const { rows, inView } = await tally();
      return rows >= count && inView >= count;
    });
  }
  const exactly = (count: number): Tally => ({
    rows: count,
    ids: count,
    inView: count,
    duplicates: 0,
    gaps: 0,
  });

  it('stores each record as one row, also after control records and aborted transactions', async () => {
    const transactional = await connectedProducer(kafka, settings.topic);
    for (let round = 0; round < 20; round++) {
      const transaction = await transactional.transaction();
      const given = samples(round * 50, 50).map((sample) => ({
        key: String(sample.id),
        value: sampleBytes(sample),
      }));
      await transaction.send({ topic: settings.topic, messages: given });
      if (round % 4 === 3) await transaction.abort();
      else await transaction.commit();
    }
    await transactional.disconnect();
    await start();
    await untilRows(750);
    assert.deepEqual(await tally(), exactly(750));
  });

  it('goes on where it stopped', async () => {
    const first = await start();
    await append(samples(0, 1_000));
    await untilRows(1_000);
    await stop(first);
    await append(samples(1_000, 500));
    await start();
    await untilRows(1_500);
    assert.deepEqual(await tally(), exactly(1_500));
  });

  const refuses = (socket: Socket): unknown => socket.destroy();
  const takesAndSaysNothing = (socket: Socket): unknown => socket.resume().on('error', () => undefined);
  for (const [state, meet] of [
    ['is away', refuses],
    ['takes an insert and never answers', takesAndSaysNothing],
  ] as const)
    it(`stops while ClickHouse ${state}, and goes on later`, () => stopsWithout(meet));

  async function stopsWithout(meet: (socket: Socket) => unknown): Promise<void> {
    let asked = 0;
    const open = new Set<Socket>();
    const away = createServer((socket) => {
      asked += 1;
      open.add(socket);
      meet(socket);
    });
    await new Promise<void>((resolve) => void away.listen(0, '127.0.0.1', resolve));
    const { port } = away.address() as AddressInfo;
    const { clickhouse: account } = settings;
    settings = { ...settings, clickhouse: { ...account, url: `http://127.0.0.1:${port}` } };
    const sink = await start();
    await append(samples(0, 100));
    await until('ClickHouse was asked', () => Promise.resolve(asked > 0));
    await stop(sink);
    away.close();
    for (const socket of open) socket.destroy();
    settings = { ...settings, clickhouse: account };
    await start();
    await untilRows(100);
    assert.deepEqual(await tally(), exactly(100));
  }

  it('shares its partitions with others that come and go', async () => {
    const first = await start();
    let sent = 0;
    const stillSending = { now: true };
    const sending = (async () => {
      while (stillSending.now) {
        await append(samples(sent, 50));
        sent += 50;
        await sleep(60);
      }
    })();
    const second = await start();
    await sleep(1_500);
    await stop(first);
    await sleep(1_000);
    await start();
    await sleep(1_500);
    await stop(second);
    stillSending.now = false;
    await sending;
    await untilRows(sent);
    await sleep(300);
    assert.deepEqual(await tally(), exactly(sent));
  });

  it('stores all rows of each record in the order of their index, and no row of a refused record', async () => {
    ({ settings, clickhouse, byMonth } = await newSamples(stack, kafka, { rowsPerRecord: 3 }));
    await append([...samples(0, 100), { id: 100, kind: 'refused' }, ...samples(101, 399)], 0);
    await start();
    await untilRows(1_497);
    await sleep(300);
    const found = await clickhouse.query<{ id: number; places: string }>(
      `SELECT id, arrayStringConcat(arraySort(groupArray((_index, _rows)))::Array(String), ' ') AS places
       FROM ${settings.table} GROUP BY _partition, _offset, id HAVING places != '(0,3) (1,3) (2,3)'`,
    );
    assert.deepEqual(found, []);
    assert.deepEqual(await audit(clickhouse, [settings]), { duplicates: 0, gaps: 0, expired: 0 });
    for (const index of [0, 1, 2]) {
      await clickhouse.command(`ALTER TABLE ${settings.table} DELETE WHERE id = 50 AND _index = ${index}
        SETTINGS mutations_sync = 1`);
      assert.ok((await audit(clickhouse, [settings])).gaps > 0, `row ${index} is missed`);
    }
    await clickhouse.command(`INSERT INTO ${settings.table} SELECT * FROM ${settings.table} WHERE id = 60`);
    assert.equal((await audit(clickhouse, [settings])).duplicates, 3);
  });

  it('makes dead letters of records that can be no row, and stores all the others', async () => {
    await append(
      [
        ...samples(0, 10),
        'no Avro',
        ...samples(10, 11),
        { id: 21, kind: 'refused' },
        ...samples(22, 300),
        { id: 322, kind: 'refused' },
      ],
      0,
    );
    await start();
    await untilRows(321);
    await sleep(300);
    assert.deepEqual(await tally(), exactly(321));
    const letters = await recordsOf(kafka, `${settings.topic}.dead-letters`);
    const codes = letters.map(({ headers }) => headers?.[deadLetterHeaders.code]?.toString());
    assert.deepEqual(codes.sort(), ['RECORD_UNDECODABLE', 'ROWS_REJECTED', 'ROWS_REJECTED']);
    const refused = letters.find(({ headers }) => headers?.[deadLetterHeaders.offset]?.toString() === '22');
    assert.deepEqual(refused?.value, sampleBytes({ id: 21, kind: 'refused' }));
  });

  it('continues once a replay has reopened its table, even if a record was refused while it was closed', async () => {
    await closeGate(clickhouse, settings.table, 'replay');
    const { clickhouse: account } = settings;
    let isChecked = false;
    const proxy = await statementProxy(account.url, (statement) => {
      isChecked ||= statement.includes(`CREATE TABLE IF NOT EXISTS ${settings.table}_check_`);
      return Promise.resolve();
    });
    settings = { ...settings, clickhouse: { ...account, url: proxy.url } };
    const sink = await start();
    await append([...samples(0, 50), { id: 50, kind: 'refused' }, ...samples(51, 49)], 0);
    await until('the refused record is looked for', () => Promise.resolve(isChecked));
    await openGate(clickhouse, settings.table, 'replay');
    await untilRows(99);
    assert.deepEqual(await tally(), exactly(99));
    await stop(sink);
    await proxy.stop();
  });

  it('gets past more refused records than one commit can name', async () => {
    const refused = Array.from({ length: 400 }, (_, id): Sample => ({ id, kind: 'refused' }));
    await append([...samples(1_000, 50), ...refused, ...samples(2_000, 50)], 0);
    await start();
    await untilRows(100);
    await sleep(500);
    assert.deepEqual(await tally(), exactly(100));
    assert.equal((await recordsOf(kafka, `${settings.topic}.dead-letters`)).length, 400);
  });

  it('stores records of two versions of their schema, however they are mixed', async () => {
    const messages = samples(0, 400).map((sample) => ({
      key: String(sample.id),
      value: sampleBytes(sample, sample.id % 100 < 50 ? 0 : 1),
      partition: 0,
    }));
    await producer.send({ topic: settings.topic, messages });
    await start();
    await untilRows(400);
    assert.deepEqual(await tally(), exactly(400));
  });

  it('loses no record next to one whose bytes do not fit their schema', async () => {
    const [before, cut, longer, after] = samples(0, 4).map((sample) => sampleBytes(sample));
    const values = [
      before,
      cut?.subarray(0, -1),
      Buffer.concat([longer ?? Buffer.alloc(0), Buffer.from('x')]),
      after,
    ];
    const messages = values.map((value) => ({ key: 'k', value: value ?? null, partition: 0 }));
    await producer.send({ topic: settings.topic, messages });
    await start();
    await untilRows(2);
    const found = await clickhouse.query<{ id: number }>(`SELECT id FROM ${settings.table} ORDER BY id`);
    assert.deepEqual(found, [{ id: 0 }, { id: 3 }]);
    assert.equal((await recordsOf(kafka, `${settings.topic}.dead-letters`)).length, 2);
  });

  it('waits while ClickHouse is down, and then catches up with nothing skipped', async () => {
    await start();
    await append(samples(0, 500));
    await untilRows(500);
    await stack.clickhouseServer.stop();
    await append(samples(500, 2_000));
    await sleep(2 * sessionMs);
    await stack.clickhouseServer.start();
    await append(samples(2_500, 100));
    await untilRows(2_600);
    await sleep(300);
    assert.deepEqual(await tally(), exactly(2_600));
  });

  it('gets past a control record alone in its fetch, before a record as large as a fetch', async () => {
    const padding = 'x'.repeat(4_500_000);
    const large = (id: number): Sample => ({ id, padding });
    const transactional = await connectedProducer(kafka, settings.topic);
    const transaction = await transactional.transaction();
    await transaction.send({
      topic: settings.topic,
      messages: [{ key: '1', value: sampleBytes(large(1)), partition: 0 }],
    });
    await transaction.commit();
    await transactional.disconnect();
    await append([large(2), large(3)], 0);
    await start();
    await untilRows(3);
    assert.deepEqual(await tally(), exactly(3));
  });

  it('removes the table for checking rows that a killed predecessor left behind', async () => {
    await clickhouse.command(`CREATE TABLE ${settings.table}_check_1_cafe (id UInt32) ENGINE = Null`);
    await start();
    await append(samples(0, 60));
    await untilRows(60);
    const left = await clickhouse.query(
      `SELECT name FROM system.tables WHERE startsWith(concat(database, '.', name), '${settings.table}_check_')`,
    );
    assert.deepEqual(left, []);
  });

  it('does not insert rows again if the group has lost its position', async () => {
    const first = await start();
    await append(samples(0, 600));
    await untilRows(600);
    await stop(first);
    await losePosition();
    await append(samples(600, 60));
    await start();
    await untilRows(660);
    await sleep(300);
    assert.deepEqual(await tally(), exactly(660));
  });

  const losePosition = (): Promise<unknown> =>
    withAdmin(accessTo(stack.brokers), (admin) => admin.deleteGroups([`telltale.sink.${settings.topic}`]));

  async function recreateTopic(): Promise<void> {
    await withAdmin(accessTo(stack.brokers), (admin) => admin.deleteTopics({ topics: [settings.topic] }));
    await makeTopic(kafka, settings.topic, settings.partitions);
  }

  /** Inserts rows of one range without a commit, because the sink is killed after the insert. */
  async function insertAndKill(count: number): Promise<void> {
    await append(samples(0, count), 0);
    await spawnSink({ ...settings, dies: { when: 'after', insert: 1 } }).exited;
  }

  it('fills the view if ClickHouse and the sink were killed after the table got the rows', async () => {
    await clickhouse.command(`DROP VIEW ${settings.table}_to_month SYNC`);
    await insertAndKill(60);
    assert.deepEqual(await tally(), { ...exactly(60), inView: 0 });
    await createView(clickhouse, settings.table);
    await start();
    await untilRows(60);
    await sleep(300);
    assert.deepEqual(await tally(), exactly(60));
  });

  it('does not insert rows again if ClickHouse has forgotten their token', async () => {
    await clickhouse.command(
      `ALTER TABLE ${settings.table} MODIFY SETTING non_replicated_deduplication_window = 3`,
    );
    await insertAndKill(60);
    for (const other of [1, 2, 3]) {
      const row = { id: 60 + other, month: 1, _topic: 'another', _previous_offset: -1 };
      await clickhouse.insert(settings.table, Buffer.from(JSON.stringify(row)), `another-${other}`);
      await clickhouse.command(`OPTIMIZE TABLE ${settings.table} FINAL`);
    }
    await start();
    await append(samples(100, 60), 0);
    await untilRows(123);
    await sleep(300);
    assert.deepEqual(await tally(), { ...exactly(123), duplicates: 2 });
  });

  it('starts over with a topic that was recreated, and goes on in it after a restart', async () => {
    const first = await start();
    await append(samples(0, 300));
    await untilRows(300);
    await stop(first);
    await recreateTopic();
    for (const already of [300, 330, 360]) {
      await append(samples(already, 30));
      const again = await start();
      await untilRows(already + 30);
      await stop(again);
    }
    await sleep(300);
    assert.deepEqual(await tally(), exactly(390));
    assert.deepEqual(await audit(clickhouse, [settings]), { duplicates: 0, gaps: 0, expired: 0 });
  });

  it('skips no record of a log longer than its predecessor, and duplicates none if its position is lost', async () => {
    const first = await start();
    await append(samples(0, 30));
    await untilRows(30);
    await stop(first);
    await recreateTopic();
    await append(samples(30, 300));
    const second = await start();
    await untilRows(330);
    await stop(second);
    await losePosition();
    await append(samples(330, 30));
    await start();
    await untilRows(360);
    await sleep(300);
    assert.deepEqual(await tally(), exactly(360));
    assert.deepEqual(await audit(clickhouse, [settings]), { duplicates: 0, gaps: 0, expired: 0 });
  });
});
