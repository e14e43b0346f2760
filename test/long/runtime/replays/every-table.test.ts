import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Producer } from 'kafkajs';
import { sinks } from '../../../../cli/sinks.js';
import { connectClickHouse, type ClickHouse } from '../../../../runtime/clickhouse/client.js';
import { openCodec } from '../../../../runtime/registry/codec.js';
import { connectRegistry, readSchema } from '../../../../runtime/registry/registry.js';
import { rollupsOf, type Rollup } from '../../../../runtime/replays/table/shadow-table.js';
import type { Sink } from '../../../../runtime/sink.js';
import { subjectOf } from '../../../../topics/topic.js';
import { connectedProducer, plainKafka } from '../../../support/kafka.js';
import { role, roleFolder, runTelltale, stackEnvironment, type Role } from '../../../support/roles.js';
import { theStack } from '../../../support/stack.js';
import { until } from '../../../support/until.js';

const copies = 20;

/** Generated records with all kinds of texts and times (test/integration/sinks/mappings.test.ts). */
function samplesOf({ table }: Sink): readonly Buffer[] {
  const file = `test/fixtures/sinks/${table.replace('telltale.', '')}.ndjson`;
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .flatMap((line) => (JSON.parse(line) as { record?: { value: string } }).record ?? [])
    .map(({ value }) => Buffer.from(value, 'base64'));
}

describe('telltale replay table, of every table', () => {
  let environment: Record<string, string>;
  let clickhouse: ClickHouse;
  let sinkRole: Role;
  let producer: Producer;
  /** By table, a condition for the rows of this test. */
  const ownRows = new Map<string, string>();

  before(async () => {
    const stack = await theStack();
    environment = stackEnvironment(stack);
    await runTelltale(['topics', 'apply'], environment);
    await runTelltale(['migrate'], environment);
    clickhouse = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.writer });
    const kafka = plainKafka(stack.brokers);
    producer = await connectedProducer(kafka);
    const logFile = join(roleFolder(stack.folder, `every-table-${randomUUID().slice(0, 8)}`), 'sinks.log');
    sinkRole = await role({ command: 'sinks', portVariable: 'SINKS_PORT', environment, logFile });
    await sinkRole.start();
    const registry = connectRegistry(stack.registryConfig);
    const admin = kafka.admin();
    await admin.connect();
    for (const sink of sinks) {
      const ends = await admin.fetchTopicOffsets(sink.from.name);
      const behind = ends.map(({ partition, high }) => `_partition = ${partition} AND _offset >= ${high}`);
      ownRows.set(sink.table, `_topic = '${sink.from.name}' AND (${behind.join(' OR ')})`);
      const header = Buffer.alloc(5);
      header.writeUInt32BE(await registry.idOf(subjectOf(sink.from), readSchema(sink.from.value.schema)), 1);
      const values = samplesOf(sink).map((value) => Buffer.concat([header, value]));
      const codec = await openCodec(sink.from, registry);
      // The same id at several offsets would be a duplicate for every audit after this test.
      const withOwnId = async (value: Buffer): Promise<Buffer> =>
        codec.encode({ ...((await codec.decode(value)) as object), id: randomUUID() });
      const records = Array.from({ length: copies }, () => values).flat();
      const own = sink.id === undefined ? records : await Promise.all(records.map(withOwnId));
      const messages = own.map((value) => ({ key: randomUUID(), value }));
      await producer.send({ topic: sink.from.name, messages });
    }
    await admin.disconnect();
    for (const sink of sinks)
      await until(`${sink.table} has them all`, async () => {
        const [found] = await clickhouse.query<{ records: string }>(
          `SELECT uniqExact(_partition, _offset) AS records FROM ${sink.table} WHERE ${ownRows.get(sink.table)}`,
        );
        return Number(found?.records) === samplesOf(sink).length * copies;
      });
  });
  after(async () => {
    await sinkRole.stop();
    await producer.disconnect();
    await clickhouse.close();
  });

  const rowsOf = (sink: Sink): Promise<readonly unknown[]> =>
    clickhouse.query(
      `SELECT * EXCEPT inserted_at FROM ${sink.table} WHERE ${ownRows.get(sink.table)}
       ORDER BY _partition, _offset${sink.rowsPerRecord === 'several' ? ', _index' : ''}
       SETTINGS asterisk_include_materialized_columns = 1, output_format_json_quote_64bit_integers = 1`,
    );
  /** Asserts that a rollup has the figures that it would get from the table now. */
  async function compareRollup({ target, select }: Rollup): Promise<void> {
    const wanted = `${target}_wanted`;
    await clickhouse.command(`CREATE TABLE ${wanted} AS ${target}`);
    try {
      await clickhouse.command(`INSERT INTO ${wanted} ${select}`);
      assert.deepEqual(await figuresOf(target), await figuresOf(wanted), target);
    } finally {
      await clickhouse.command(`DROP TABLE ${wanted}`);
    }
  }
  /** The records' times span centuries, and rollups expire by them: rows that can expire are left out. */
  async function figuresOf(rollup: string): Promise<readonly unknown[]> {
    const [found] = await clickhouse.query<{ keys: string }>(
      `SELECT sorting_key AS keys FROM system.tables WHERE concat(database, '.', name) = '${rollup}'`,
    );
    assert.ok(found);
    const [time] = /\b(?:minute|hour)\b/.exec(found.keys) ?? [];
    const lasting =
      time === undefined
        ? 'true' // rows expire by their arrival
        : `${time} > now() - INTERVAL 300 DAY AND ${time} < toDateTime('2100-01-01')`;
    const states = await clickhouse.query<{ name: string; type: string }>(
      `SELECT name, type FROM system.columns
       WHERE concat(database, '.', table) = '${rollup}' AND startsWith(type, 'AggregateFunction')`,
    );
    const finished = states.map(({ name, type }) =>
      // A digest depends on the order of its values: only the counts next to it are compared.
      type.includes('TDigest') ? `1 AS ${name}` : `finalizeAggregation(${name}) AS ${name}`,
    );
    const rows = await clickhouse.query<Record<string, unknown>>(
      `SELECT * ${finished.length > 0 ? `REPLACE (${finished.join(', ')})` : ''} FROM ${rollup} FINAL WHERE ${lasting} ORDER BY ${found.keys}`,
    );
    assert.ok(rows.length > 0, rollup);
    return rows.map((row) => JSON.parse(JSON.stringify(row, rounded)) as unknown);
  }
  /** Sums of floating-point numbers depend on the order in which parts were merged. */
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number' ? Number(value.toPrecision(6)) : value;

  for (const sink of sinks)
    it(`makes ${sink.table} anew, with its rollups`, async () => {
      const before = await rowsOf(sink);
      const rollups = await rollupsOf(clickhouse, sink.table);
      await clickhouse.command(
        `ALTER TABLE ${sink.table} DELETE WHERE _offset % 3 = 1 AND ${ownRows.get(sink.table)} SETTINGS mutations_sync = 2`,
      );
      for (const { target } of rollups) await clickhouse.command(`TRUNCATE TABLE ${target}`);
      assert.ok((await rowsOf(sink)).length < before.length);
      const said = await runTelltale(['replay', 'table', sink.name], environment);
      assert.match(said, /"status":"done"/);
      assert.deepEqual(await rowsOf(sink), before);
      for (const rollup of rollups) await compareRollup(rollup);
    });
});
