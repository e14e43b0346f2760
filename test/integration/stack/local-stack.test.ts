import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { Kafka, logLevel } from 'kafkajs';
import { atScale } from '../../support/scale.js';
import { theStack, type TestStack } from '../../support/stack.js';
import { until } from '../../support/until.js';

const basic = (login: string) => ({ authorization: `Basic ${Buffer.from(login).toString('base64')}` });

/** Only at full scale: crash tests kill Kafka too, and the registry rarely loses its data to a kill -9. */
const ofFull = atScale(it.skip, it);

describe('local stack', () => {
  let stack: TestStack;

  before(async () => {
    stack = await theStack();
  });

  const query = async (sql: string, { user, password } = stack.clickhouse.writer): Promise<string> => {
    const response = await fetch(stack.clickhouse.url, {
      method: 'POST',
      body: sql,
      headers: { 'x-clickhouse-user': user, 'x-clickhouse-key': password },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text.trim();
  };

  ofFull('keeps records of Kafka through kill -9 and a restart on the same port', async () => {
    const kafka = new Kafka({ brokers: stack.brokers, logLevel: logLevel.NOTHING });
    const admin = kafka.admin();
    await admin.connect();
    await admin.createTopics({ topics: [{ topic: 'stack.kept', numPartitions: 1 }] });
    const producer = kafka.producer();
    await producer.connect();
    await producer.send({ topic: 'stack.kept', messages: [{ value: 'before' }] });
    await producer.disconnect();
    await admin.disconnect();

    await stack.kafka.kill9();
    assert.equal(stack.kafka.pid, undefined);
    await stack.kafka.start();

    const again = kafka.admin();
    await again.connect();
    // Right after a restart the broker leads no partition yet.
    const high = async (): Promise<string | undefined> =>
      (await again.fetchTopicOffsets('stack.kept').catch(() => []))[0]?.high;
    await until('the broker leads the partition', async () => (await high()) !== undefined);
    assert.equal(await high(), '1');
    await again.disconnect();
  });

  it('does not make topics that nobody declared', async () => {
    const kafka = new Kafka({
      brokers: stack.brokers,
      logLevel: logLevel.NOTHING,
      retry: { retries: 0 },
    });
    const producer = kafka.producer({ allowAutoTopicCreation: true });
    await producer.connect();
    await assert.rejects(producer.send({ topic: 'stack.mistyped', messages: [{ value: 'x' }] }));
    await producer.disconnect();
  });

  ofFull('keeps schemas of the registry through kill -9', async () => {
    const { SCHEMA_REGISTRY_URL, SCHEMA_REGISTRY_USER, SCHEMA_REGISTRY_PASSWORD } = stack.registryConfig;
    const subject = `${SCHEMA_REGISTRY_URL}/subjects/stack.kept-value/versions`;
    const headers = basic(`${SCHEMA_REGISTRY_USER}:${SCHEMA_REGISTRY_PASSWORD}`);
    const registered = await fetch(subject, {
      method: 'POST',
      headers: { 'content-type': 'application/vnd.schemaregistry.v1+json', ...headers },
      body: JSON.stringify({ schema: '"string"' }),
    });
    assert.equal(registered.status, 200);

    await stack.registry.kill9();
    await stack.registry.start();

    assert.deepEqual(await (await fetch(subject, { headers })).json(), [1]);
  });

  it('refuses every request to the registry without its password', async () => {
    const { origin } = new URL(stack.registryConfig.SCHEMA_REGISTRY_URL);
    for (const headers of [{}, basic('telltale:guessed'), basic('telltale:')])
      for (const path of [
        '/',
        '/apis/ccompat/v7/subjects',
        '/apis/registry/v3/admin/rules',
        '/health',
        '/metrics',
      ])
        for (const method of ['GET', 'POST', 'DELETE']) {
          const answer = await fetch(`${origin}${path}`, { method, headers, redirect: 'manual' });
          assert.equal(answer.status, 401, `${method} ${path}`);
        }
  });

  it('keeps rows of ClickHouse through kill -9, and lets the analyst read but not write', async () => {
    await query('CREATE DATABASE IF NOT EXISTS telltale');
    await query('CREATE TABLE telltale.stack_kept (n UInt64) ENGINE = MergeTree ORDER BY n');
    await query('INSERT INTO telltale.stack_kept VALUES (1), (2)');

    await stack.clickhouseServer.kill9();
    await stack.clickhouseServer.start();

    const { analyst } = stack.clickhouse;
    assert.equal(await query('SELECT sum(n) FROM telltale.stack_kept', analyst), '3');
    await assert.rejects(
      query('INSERT INTO telltale.stack_kept VALUES (3)', analyst),
      /ACCESS_DENIED|READONLY/,
    );
    await assert.rejects(query('DROP TABLE telltale.stack_kept', analyst), /ACCESS_DENIED|READONLY/);
    await query('DROP TABLE telltale.stack_kept');
  });

  describe('asked over HTTP by someone who knows no password', () => {
    const claims: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      ['', {}],
      ['', { 'content-type': 'text/plain', origin: 'https://elsewhere.example' }],
      ['', basic('default:')],
      ['', { 'x-clickhouse-user': 'default', 'x-clickhouse-key': '' }],
      ['?user=default', {}],
      ['?user=default', basic('analyst:guessed')],
      ['?user=default&max_query_size=100000', {}],
      ['?user=default&profile=app', {}],
      ['?user=default&session_id=kept', {}],
    ];
    const statements = [
      'SELECT 1',
      'SELECT sleep(3)',
      'SELECT number FROM system.numbers LIMIT 1',
      'SYSTEM STOP LISTEN HTTP',
      'KILL QUERY WHERE 1',
      'SET max_query_size = 100000',
    ];

    it('reveals and changes nothing, whoever they claim to be', async () => {
      for (const [address, headers] of claims)
        for (const body of statements) {
          const url = `${stack.clickhouse.url}/${address}`;
          const answer = await fetch(url, { method: 'POST', headers, body });
          assert.ok(answer.status >= 400, `${body} of ${address} ${JSON.stringify(headers)}`);
          assert.match(
            await answer.text(),
            /AUTHENTICATION_FAILED|Max query size exceeded|SETTING_CONSTRAINT/,
          );
        }
      const byAddress = await fetch(`${stack.clickhouse.url}/?query=SELECT%201`);
      assert.ok(byAddress.status >= 400);
      assert.equal(await query('SELECT 1'), '1');
    });

    it('answers a ping', async () => {
      assert.equal((await fetch(`${stack.clickhouse.url}/ping`)).status, 200);
    });
  });

  it('leaves /dev/null accessible to everyone, even if ClickHouse runs as root', async () => {
    await stack.clickhouseServer.stop();
    const { mode } = statSync('/dev/null');
    await stack.clickhouseServer.start();
    assert.equal(mode & 0o666, 0o666);
  });

  it('grants the writer what migrations and replays need', async () => {
    await query(`CREATE TABLE telltale.stack_source (n UInt64) ENGINE = MergeTree ORDER BY n
      SETTINGS non_replicated_deduplication_window = 100`);
    await query('CREATE TABLE telltale.stack_target (n UInt64) ENGINE = MergeTree ORDER BY n');
    await query(
      'CREATE MATERIALIZED VIEW telltale.stack_view TO telltale.stack_target AS SELECT n FROM telltale.stack_source',
    );
    await query('INSERT INTO telltale.stack_source VALUES (7)');
    await query('CREATE TABLE telltale.stack_shadow AS telltale.stack_target');
    await query('EXCHANGE TABLES telltale.stack_shadow AND telltale.stack_target');
    assert.equal(await query('SELECT n FROM telltale.stack_shadow'), '7');
    for (const name of ['view', 'source', 'target', 'shadow'])
      await query(`DROP TABLE telltale.stack_${name}`);
  });

  it('refuses to open files or addresses for anyone', async () => {
    await assert.rejects(
      query("SELECT * FROM file('/etc/passwd', 'LineAsString')"),
      /ACCESS_DENIED|privileges/,
    );
    await assert.rejects(
      query("SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')"),
      /ACCESS_DENIED|privileges/,
    );
  });
});
