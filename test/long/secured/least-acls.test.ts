import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import kafkajs, { type Admin } from 'kafkajs';
import type { PipelineLag } from '../../../cli/lag/pipeline-lag.js';
import { aclsDocument } from '../../../cli/acls/acls-document.js';
import { aclsOf, kafkaUsers, type KafkaUser } from '../../../cli/acls/kafka-acls.js';
import { connectClickHouse } from '../../../runtime/clickhouse/client.js';
import { readConfig } from '../../../runtime/config.js';
import { kafkaConfig } from '../../../runtime/kafka/client/config.js';
import { createKafka } from '../../../runtime/kafka/client/client.js';
import { kafkaAccess } from '../../../runtime/kafka/client/kafka-access.js';
import { silentLogger } from '../../../runtime/logging.js';
import { clickhouseServer } from '../../../stack/clickhouse/clickhouse.js';
import { pickFreePort } from '../../../stack/ports.js';
import type { Server } from '../../../stack/server.js';
import { BatchSender } from '../../support/agent-batches.js';
import { slowSearches } from '../../support/cluster-questions.js';
import { healthBody, snapshot } from '../../support/cluster-snapshots.js';
import { httpsCall } from '../../support/https-call.js';
import { connectedProducer } from '../../support/kafka.js';
import { role, roleFolder, runTelltale, type Role } from '../../support/roles.js';
import { securedBroker, type SecuredBroker } from '../../support/secured-broker.js';
import { theStack } from '../../support/stack.js';
import { testCertificates } from '../../support/test-certificates.js';
import { tlsFront, type TlsFront } from '../../support/tls-front.js';
import { until } from '../../support/until.js';

const account = (user: string) => ({ user, password: `of-${user}-for-tests` });

describe('the pipeline where every connection is secured', function () {
  this.timeout(300_000);
  let broker: SecuredBroker;
  /** A separate server: rows of two Kafkas in one table would look like duplicates to other tests' audits. */
  let clickhouse: Server;
  /** Both require TLS; ClickHouse also requires a client certificate. */
  let tlsClickhouse: TlsFront;
  let tlsRegistry: TlsFront;
  let admin: Admin;
  let folder: string;
  let key: string;
  const roles: Role[] = [];

  before(async () => {
    const stack = await theStack();
    folder = roleFolder(stack.folder, 'least-acls');
    broker = await securedBroker({ users: kafkaUsers });
    clickhouse = clickhouseServer({
      port: await pickFreePort(),
      portVariable: 'nothing: the tests pick a port by themselves',
      dataFolder: join(folder, 'clickhouse'),
      logFolder: folder,
      writer: account('telltale'),
      edge: account('edge'),
      analyst: account('analyst'),
      workspaceAnalysts: [],
    });
    await Promise.all([broker.server.start(), clickhouse.start()]);
    tlsClickhouse = await tlsFront({ url: clickhouse.url, clientCertificate: true });
    tlsRegistry = await tlsFront({ url: stack.registry.url, clientCertificate: false });
    admin = createKafka(kafkaAccess(readConfig(kafkaConfig, broker.admin), 'test', silentLogger)).admin();
    await admin.connect();
    for (const user of kafkaUsers) await allow(admin, user, user);
  });
  after(async () => {
    await Promise.all(roles.map((each) => each.stop()));
    tlsClickhouse.stop();
    tlsRegistry.stop();
    await admin.disconnect();
    await Promise.all([broker.server.stop(), clickhouse.stop()]);
  });

  const environmentOf = async (user: KafkaUser): Promise<Record<string, string>> => ({
    ...(await theStack()).registryConfig,
    SCHEMA_REGISTRY_URL: tlsRegistry.url,
    SCHEMA_REGISTRY_TLS_CA_FILE: broker.files.ca,
    ...broker.userSettings(user),
    CLICKHOUSE_URL: tlsClickhouse.url,
    CLICKHOUSE_TLS_CA_FILE: broker.files.ca,
    CLICKHOUSE_TLS_CERTIFICATE_FILE: broker.files.certificate,
    CLICKHOUSE_TLS_KEY_FILE: broker.files.key,
    CLICKHOUSE_WRITER_PASSWORD: account('telltale').password,
    CLICKHOUSE_PASSWORD: account('edge').password,
    TELLTALE_STATE: join(folder, 'edge'),
  });
  const start = async (
    command: 'edge' | 'processors' | 'sinks',
    settings: Readonly<Record<string, string>> = {},
    name: string = command,
  ): Promise<Role> => {
    const started = await role({
      command,
      portVariable: `${command.toUpperCase()}_PORT`,
      environment: { ...(await environmentOf(command)), APPEND_TIMEOUT_MS: '60000', ...settings },
      logFile: join(folder, `${name}.log`),
    });
    roles.push(started);
    await started.start();
    return started;
  };
  const run = async (user: KafkaUser, ...args: string[]): Promise<string> =>
    runTelltale(args, await environmentOf(user));

  it('has documented ACLs that match the code', () => {
    const folded = (text: string): string =>
      text
        .replace(/[ -]+/g, ' ')
        .replace(/\s*\n\s*/g, '\n')
        .trim();
    assert.equal(
      folded(readFileSync('docs/kafka-acls.md', 'utf8')),
      folded(aclsDocument()),
      'run `npm run generate`',
    );
  });

  it('is set up by users who may do only that', async () => {
    await run('topics', 'topics', 'apply');
    assert.match(await run('topics', 'topics', 'plan'), /All topics match the configuration/);
    const more = { ...(await environmentOf('topics')), KAFKA_TOPIC_PARTITIONS: 'ingest.events=14' };
    await assert.rejects(runTelltale(['topics', 'apply'], more), /12 partitions instead of 14/);
    const grown = await runTelltale(['topics', 'apply', '--grow'], more);
    assert.match(grown, /did grow ingest.events from 12 to 14 partitions/);
    await run('topics', 'migrate');
    const made = await run(
      'keys',
      'keys',
      'create',
      '--workspace',
      'acls',
      '--name',
      'tests',
      '--scopes',
      'metrics,events,agent,read,admin',
      '--json',
    );
    ({ key } = JSON.parse(made) as { key: string });
    assert.match(await run('keys', 'keys', 'list'), /tests/);
    assert.match(await run('sign-in-link', 'sign-in-link'), /^http/);
    await assert.rejects(run('sign-in-link', 'topics', 'apply'), 'a user may do what no ACL of it allows');
  });

  it('accepts, scores and stores what comes in, with the minimal ACLs of each process', async () => {
    const [edge] = await Promise.all([start('edge'), start('processors'), start('sinks')]);
    const post = async (path: string, body: unknown, headers = {}): Promise<{ id?: string }> => {
      const answer = await fetch(`${edge.url}${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      });
      const text = await answer.text();
      assert.ok(answer.ok, `${path}: ${answer.status} ${text}`);
      return JSON.parse(text || '{}') as { id?: string };
    };
    const task = { prompt: 'What a lovely day.', response: 'It is.' };
    const scoring = '/api/v1/monitoring/metrics/text-sentiment';
    await post(`${scoring}/task`, task);
    await post(`${scoring}/task`, task, { 'idempotency-key': 'acls-1' });
    await post(scoring, task);
    await post('/', [{ metric: 'acls', type: 'increment', value: 1 }], { 'idempotency-key': 'acls-2' });
    await sendBatches(new BatchSender(edge.url, key));
    const store = connectClickHouse({ url: clickhouse.url, ...account('telltale') });
    const count = async (table: string): Promise<number> =>
      Number((await store.query<{ n: string }>(`SELECT count() AS n FROM telltale.${table}`))[0]?.n);
    const expected = {
      scoring_results: 3,
      events: 1,
      otel_traces: 1,
      cluster_overview: 1,
      cluster_health: 1,
      slow_operations: 1,
    };
    await until('all is stored', async () => {
      const stored = Object.keys(expected).map(async (table) => [table, await count(table)] as const);
      return isDeepStrictEqual(Object.fromEntries(await Promise.all(stored)), expected);
    });
    await store.close();
    assert.deepEqual(new Set(tlsClickhouse.shown), new Set(['telltale-edge']));
    const pipeline = await fetch(`${edge.url}/api/v1/pipeline`, {
      headers: { authorization: `Bearer ${key}` },
    });
    assert.equal(pipeline.status, 200, await pipeline.text());
  });

  it('shares task statuses among edges that reach each other over HTTPS', async () => {
    const secret = randomBytes(32).toString('hex');
    const { certificate, key: privateKey } = testCertificates.server;
    const [certificateFile, keyFile] = [join(folder, 'edge.pem'), join(folder, 'edge.key')];
    writeFileSync(certificateFile, certificate);
    writeFileSync(keyFile, privateKey);
    const edges = await Promise.all(
      ['a', 'b'].map(async (name) => {
        const port = await pickFreePort();
        return role({
          command: 'edge',
          portVariable: 'EDGE_PORT',
          https: true,
          environment: {
            ...(await environmentOf('edge')),
            APPEND_TIMEOUT_MS: '60000',
            TELLTALE_STATE: join(folder, name),
            STATUS_VIEW: 'sharded',
            EDGE_TLS_CERTIFICATE_FILE: certificateFile,
            EDGE_TLS_KEY_FILE: keyFile,
            EDGE_PEER_PORT: String(port),
            EDGE_PEER_URL: `https://127.0.0.1:${port}`,
            EDGE_PEER_SECRET: secret,
            EDGE_PEER_TLS_CA_FILE: broker.files.ca,
          },
          logFile: join(folder, `${name}.log`),
        });
      }),
    );
    roles.push(...edges);
    await Promise.all(edges.map((each) => each.start()));
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const codes = new Map<number, number>();
    for (let index = 0; index < 40; index++) {
      const [taker, other] = index % 2 === 0 ? edges : edges.toReversed();
      assert.ok(taker && other);
      const accepted = await httpsCall(`${taker.url}/api/v1/monitoring/metrics/text-sentiment/task`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': `acls-shared-${index}` },
        body: '{"prompt":"What a lovely day."}',
      });
      assert.equal(accepted.status, 202, accepted.text);
      const { task_id: id } = JSON.parse(accepted.text) as { task_id: string };
      for (const { url } of [taker, other]) {
        const { status } = await httpsCall(`${url}/api/v1/monitoring/metrics/task/${id}/status`, { headers });
        codes.set(status, (codes.get(status) ?? 0) + 1);
      }
    }
    assert.deepEqual([...codes], [[200, 80]]);
  });

  it('says what a process was not allowed to read, and continues', () => {
    const log = readFileSync(join(folder, 'processors.log'), 'utf8');
    assert.match(log, /"refused":"__consumer_offsets".*Kafka does not list its open transactions/);
  });

  it('shows its lag and dead letters to authorised users', async () => {
    assert.doesNotMatch(await run('lag', 'lag', '--json'), /uthoriz/);
    await run('dead-letters', 'dead-letters', 'list');
  });

  it('rebuilds a table, with a dead letter for a record it cannot take, as a user who may do that', async () => {
    const settings = readConfig(kafkaConfig, broker.admin);
    const producer = await connectedProducer(createKafka(kafkaAccess(settings, 'test', silentLogger)));
    await producer.send({ topic: 'ingest.events', messages: [{ key: 'k', value: 'no Avro' }] });
    await producer.disconnect();
    await until('the sink has refused it', () =>
      readFileSync(join(folder, 'sinks.log'), 'utf8').includes('"dead-letter-written"'),
    );
    await until('the sink has committed it', async () => {
      const { stages } = JSON.parse(await run('lag', 'lag', '--json')) as PipelineLag;
      return stages.some(({ stage, lag_records: lag }) => stage === 'sinks/events' && lag === 0);
    });
    const told = await run('replay', 'replay', 'table', 'events');
    assert.match(told, /"failures":[1-9].*"status":"done"|"status":"done".*"failures":[1-9]/);
  });

  it('has the sinks rebuild a table on a request to an edge', async () => {
    const create = ['keys', 'create', '--name', 'tables', '--scopes', 'admin', '--json'];
    const { key: admins } = JSON.parse(await run('keys', ...create)) as { key: string };
    const headers = { authorization: `Bearer ${admins}`, 'content-type': 'application/json' };
    const url = `${roles[0]?.url}/api/v1/replays`;
    await until('the edge knows the key', async () => (await fetch(url, { headers })).ok);
    const body = JSON.stringify({ kind: 'table', sink: 'events', from: 0 });
    const asked = await fetch(url, { method: 'POST', headers, body });
    assert.equal(asked.status, 202, await asked.text());
    await until('the sinks have done it', async () => {
      const { replays } = (await (await fetch(url, { headers })).json()) as {
        replays: { status: string; failures: number; reason: string | null }[];
      };
      assert.equal(replays[0]?.reason, null);
      return replays[0].status === 'done' && replays[0].failures > 0;
    });
  });

  it('scores again, repairs, and sends a dead letter back, as users who may do that', async () => {
    assert.match(await run('replay', 'replay', 'scoring', '--metric', 'all'), /"status":"done"/);
    assert.match(await run('replay', 'audit', '--repair'), /0 duplicates, 0 gaps/);
    const listed = await run('dead-letters', 'dead-letters', 'list', '--json');
    const [letter] = (JSON.parse(listed) as { letters: { id: string }[] }).letters;
    const { id } = letter ?? assert.fail(listed);
    await run('dead-letters', 'dead-letters', 'replay', id, '--reason', 'to try');
    assert.match(await run('dead-letters', 'dead-letters', 'show', id), /replayed/);
  });

  it('sends a dead letter back through an edge, and reports the errors of every stage', async () => {
    const create = ['keys', 'create', '--name', 'letters', '--scopes', 'admin,read', '--json'];
    const { key: admins } = JSON.parse(await run('keys', ...create)) as { key: string };
    const headers = { authorization: `Bearer ${admins}`, 'content-type': 'application/json' };
    const url = `${roles[0]?.url}/api/v1/dead-letters`;
    let id = '';
    // The replayed letter has failed again.
    await until('a letter is open', async () => {
      const answer = await fetch(url, { headers });
      if (!answer.ok) return false;
      id = ((await answer.json()) as { newest: { id: string }[] }).newest[0]?.id ?? '';
      return id !== '';
    });
    const body = JSON.stringify({ ids: [id], reason: 'to try' });
    const replayed = await fetch(`${url}/replay`, { method: 'POST', headers, body });
    assert.equal(replayed.status, 200, await replayed.clone().text());
    assert.equal(((await replayed.json()) as { replayed: number }).replayed, 1);
    const pipeline = await fetch(`${roles[0]?.url}/api/v1/pipeline`, { headers });
    const { edge, stages } = (await pipeline.json()) as {
      edge: { errors_last_minute: number | null };
      stages: { stage: string; errors_last_minute: number | null }[];
    };
    const unknown = [edge, ...stages].filter((one) => one.errors_last_minute === null);
    assert.deepEqual(unknown, []);
  });

  it('finds, examines and imports as users who may do that', async () => {
    const lines = join(folder, 'lines.ndjson');
    writeFileSync(lines, JSON.stringify({ prompt: 'What a lovely day.' }));
    await run('replay', 'import', lines, '--metric', 'text_sentiment');
    const { replays } = JSON.parse(await run('replay', 'replays', 'list', '--json')) as {
      replays: { kind: string; records: number }[];
    };
    assert.deepEqual(
      replays.filter(({ kind }) => kind === 'import').map(({ records }) => records),
      [1],
    );
    assert.match(await run('find', 'find', 'acls-1', '--workspace', 'acls'), /acls/);
    const findings = await runTelltale(['doctor', '--json'], await environmentOf('doctor')).catch(String);
    assert.doesNotMatch(findings, /uthoriz/);
  });

  it('runs scheduled maintenance in sinks that also have the ACLs for it', async () => {
    await allow(admin, 'sinks', 'maintenance');
    const MAINTENANCE_SCHEDULE = 'audit=*/5 * * * * *; doctor=*/5 * * * * *; keys=*/5 * * * * *';
    const sinks = await start('sinks', { MAINTENANCE_SCHEDULE }, 'maintenance');
    const runs = /^telltale_maintenance_runs_total\{task="(\w+)",outcome="(\w+)"\} [1-9]/gm;
    const ran = new Map<string | undefined, string | undefined>();
    await until('each task has run', async () => {
      const metrics = await (await fetch(`${sinks.url}/metrics`)).text();
      for (const [, task, outcome] of metrics.matchAll(runs)) ran.set(task, outcome);
      return ran.size === 3;
    });
    const log = readFileSync(join(folder, 'maintenance.log'), 'utf8');
    assert.ok(![...ran.values()].includes('failed'), log);
    assert.doesNotMatch(log, /uthoriz/);
  });
});

/** Sends a span, a snapshot of a cluster's health, and a slow search, as an agent does. */
async function sendBatches(agent: BatchSender): Promise<void> {
  const minute = Math.floor(Date.now() / 60_000);
  const start = BigInt(minute) * 60_000_000_000n;
  const span = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), start: `${start}`, end: `${start + 1n}` };
  await agent.send('spans', [{ application: 'acls', spans: [span] }]);
  const { body, ...head } = snapshot('health', minute, healthBody());
  await agent.send('snapshots', [{ ...head, body: JSON.parse(body) as object }]);
  await agent.send('slow-operations', slowSearches(minute * 60_000).slice(0, 1));
}

/** Grants a principal exactly the ACLs that the documents list for a user. */
async function allow(admin: Admin, principal: KafkaUser, user: KafkaUser): Promise<void> {
  const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;
  const operations = {
    Read: AclOperationTypes.READ,
    Write: AclOperationTypes.WRITE,
    Create: AclOperationTypes.CREATE,
    Alter: AclOperationTypes.ALTER,
    Describe: AclOperationTypes.DESCRIBE,
    DescribeConfigs: AclOperationTypes.DESCRIBE_CONFIGS,
    AlterConfigs: AclOperationTypes.ALTER_CONFIGS,
  };
  const resources = {
    Topic: AclResourceTypes.TOPIC,
    Group: AclResourceTypes.GROUP,
    TransactionalId: AclResourceTypes.TRANSACTIONAL_ID,
  };
  const patterns = { literal: ResourcePatternTypes.LITERAL, prefixed: ResourcePatternTypes.PREFIXED };
  await admin.createAcls({
    acl: aclsOf(user).flatMap(({ resource, name, pattern, operations: allowed }) =>
      allowed.map((operation) => ({
        principal: `User:${principal}`,
        host: '*',
        operation: operations[operation],
        permissionType: AclPermissionTypes.ALLOW,
        resourceType: resources[resource],
        resourceName: name,
        resourcePatternType: patterns[pattern],
      })),
    ),
  });
}
