import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import kafkajs from 'kafkajs';
import type { Finding } from '../../../cli/doctor/check.js';
import type { PipelineLag, StageLag } from '../../../cli/lag/pipeline-lag.js';
import { connectClickHouse, type ClickHouse } from '../../../runtime/clickhouse/client.js';
import { reasonOf } from '../../../runtime/errors.js';
import { agentsPath, type AgentReportBody } from '../../../schemas/agent-report.js';
import { plainKafka } from '../../support/kafka.js';
import { startPipeline, standardAppends, type Pipeline } from '../../support/pipeline.js';
import { role, runTelltale } from '../../support/roles.js';
import { until } from '../../support/until.js';

/** Each case of docs/operations.md by its heading, with the output of the commands and the next command. */
describe('what goes wrong, and what to type', () => {
  let pipeline: Pipeline;
  let clickhouse: ClickHouse;

  before(async () => {
    pipeline = await startPipeline('rehearsed', { edge: standardAppends });
    const { url, writer } = pipeline.stack.clickhouse;
    clickhouse = connectClickHouse({ url, ...writer });
  });
  after(async () => {
    await clickhouse.close();
    await pipeline.stop();
  });

  const telltale = (...args: readonly string[]): Promise<string> => runTelltale(args, pipeline.environment);
  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${pipeline.edge.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${pipeline.key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const sendEvents = async (count: number): Promise<string> => {
    const metric = randomUUID();
    for (let sent = 0; sent < count; sent += 1_000) {
      const events = Array.from({ length: Math.min(1_000, count - sent) }, () => ({
        ...{ metric, type: 'increment', value: 1 },
      }));
      const answer = await post('/', events);
      assert.equal(answer.status, 200, await answer.text());
    }
    return metric;
  };
  const stored = async (metric: string): Promise<number> => {
    const sql = `SELECT count() AS rows FROM telltale.events WHERE metric = '${metric}'`;
    return Number((await pipeline.query<{ rows: string }>(sql))[0]?.rows);
  };
  const finding = async (name: string): Promise<Finding> => {
    const printed = await telltale('doctor', '--json').catch((error: unknown) =>
      reasonOf(error).slice(reasonOf(error).indexOf('{')),
    );
    const found = (JSON.parse(printed) as { checks: Finding[] }).checks.find(({ check }) => check === name);
    assert.ok(found, name);
    return found;
  };
  const sinkOfEvents = async (): Promise<StageLag> => {
    const { stages } = JSON.parse(await telltale('lag', '--json')) as PipelineLag;
    const found = stages.find(({ stage }) => stage === 'sinks/events');
    assert.ok(found);
    return found;
  };

  it('A stage falls behind: another process of the role takes a part of its partitions', async () => {
    await pipeline.sinks.stop();
    const metric = await sendEvents(3_000);
    const behind = await sinkOfEvents();
    assert.ok((behind.lag_records ?? 0) >= 3_000 && (behind.lag_seconds ?? 0) > 0);
    await pipeline.sinks.start();
    const second = await role({
      command: 'sinks',
      portVariable: 'SINKS_PORT',
      environment: pipeline.environment,
      logFile: join(pipeline.folder, 'more-sinks.log'),
    });
    await second.start();
    await until('both share the work, and nothing is behind', async () => {
      const { members, lag_records: records, waits_for: what } = await sinkOfEvents();
      return members === 2 && records === 0 && what === null;
    });
    assert.equal(await stored(metric), 3_000);
    await second.stop();
  });

  it('Rows are missing, or there twice: a repair fills gaps, a replay of the table removes copies', async () => {
    const metric = await sendEvents(50);
    await until('they are stored', async () => (await stored(metric)) === 50);
    const last = `(SELECT _partition, max(_offset) FROM telltale.events WHERE metric = '${metric}' GROUP BY _partition)`;
    await clickhouse.command(
      `INSERT INTO telltale.events SELECT * FROM telltale.events WHERE metric = '${metric}' LIMIT 3`,
    );
    await clickhouse.command(
      `ALTER TABLE telltale.events DELETE WHERE metric = '${metric}' AND (_partition, _offset) NOT IN ${last} AND _offset % 7 = 3
       SETTINGS mutations_sync = 2`,
    );
    const { duplicates, gaps } = await pipeline.audit();
    assert.ok(duplicates > 0 && gaps > 0, `${duplicates} duplicates, ${gaps} gaps`);
    const { verdict, cure } = await finding('audit');
    assert.equal(verdict, 'problem');
    assert.match(cure ?? '', /--repair/);
    await telltale('audit', '--repair').catch(() => undefined);
    await telltale('replay', 'table', 'events');
    assert.equal(await stored(metric), 50);
    assert.equal((await finding('audit')).verdict, 'good');
  });

  it('Tables or topics are not as this version expects: one command each brings them up to date', async () => {
    const admin = plainKafka(pipeline.stack.brokers).admin();
    await admin.connect();
    const configEntries = [{ name: 'retention.ms', value: '1000000' }];
    const resources = [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: 'ingest.events', configEntries }];
    await admin.alterConfigs({ validateOnly: false, resources });
    await admin.disconnect();
    await clickhouse.command(
      `ALTER TABLE telltale.schema_migrations DELETE WHERE number = 53 SETTINGS mutations_sync = 2`,
    );
    const [topics, migrations] = [await finding('topics'), await finding('migrations')];
    assert.match(topics.detail, /ingest\.events/);
    assert.match(topics.cure ?? '', /telltale topics apply/);
    assert.match(migrations.detail, /Not applied: .*053/);
    await telltale('topics', 'apply');
    await telltale('migrate');
    assert.equal((await finding('topics')).verdict, 'good');
    assert.equal((await finding('migrations')).verdict, 'good');
  });

  it('A key is about to expire: it is named, and its successor takes over', async () => {
    const scope = ['--workspace', 'rehearsed', '--scopes', 'events', '--json'];
    const create = async (name: string, ...more: readonly string[]) =>
      JSON.parse(await telltale('keys', 'create', '--name', name, ...scope, ...more)) as {
        key: string;
        key_id: string;
      };
    const name = `old-${randomUUID()}`;
    const old = await create(name, '--expires', '3d');
    const { verdict, detail } = await finding('API keys');
    assert.equal(verdict, 'warning');
    assert.match(detail, new RegExp(name));
    const { key } = await create('new');
    await telltale('keys', 'revoke', old.key_id, '--workspace', 'rehearsed');
    assert.doesNotMatch((await finding('API keys')).detail, new RegExp(name));
    const send = (of: string): Promise<Response> =>
      post('/', [{ metric: 'm', type: 'increment', value: 1 }], { authorization: `Bearer ${of}` });
    await until('the new one is known', async () => (await send(key)).status === 200);
    await until('the old one is refused', async () => (await send(old.key)).status === 401);
  });

  it('An agent does not get through: doctor names it, and `find` shows the last batch that came', async () => {
    const host = `rehearsed-${randomUUID()}`;
    const limit = 1_000_000;
    const report: AgentReportBody = {
      ...{
        agent_id: host,
        host,
        version: '0.1.0',
        started_at: Date.now(),
        every_seconds: 30,
        stopping: false,
      },
      spool: {
        bytes: 0.95 * limit,
        limit_bytes: limit,
        unsent_bytes: 0.9 * limit,
        oldest_at: null,
        oldest_unknown: null,
      },
      ...{ datasets: [], components: [], clusters: [], connection_tests: [], answers: [] },
    };
    const answer = await post(agentsPath, report);
    assert.ok(answer.ok, await answer.text());
    const { verdict, detail } = await finding('spools of agents');
    assert.equal(verdict, 'problem');
    assert.match(detail, new RegExp(host));
    const spool = randomUUID();
    const event = { metric: 'boats', type: 'increment', value: 1 };
    const type = { 'content-type': 'application/x-ndjson', 'batch-id': `${spool}/7` };
    assert.equal((await post('/api/v1/agent/events', event, type)).status, 200);
    assert.match(await telltale('find', `${spool}/7`), /accepted it: events/);
    await assert.rejects(telltale('find', `${spool}/8`), /this spool has not reached that number/i);
  });

  it('The disk fills: doctor says how full it is', async () => {
    const { detail } = await finding('disk of ClickHouse');
    assert.match(detail, /^Disk \S+ is \d+ % full, [\d.]+ GiB are free\.$/);
  });

  it('Kafka is away: commands say so, the edge accepts nothing, and everything continues when it is back', async () => {
    await pipeline.stack.kafka.kill9();
    const [brokers, others] = [await finding('brokers'), await finding('migrations')];
    assert.deepEqual([brokers.verdict, others.verdict], ['problem', 'good']);
    assert.match(brokers.cure ?? '', /Start Kafka/);
    await assert.rejects(telltale('lag'), /KAFKA_UNREACHABLE/);
    await assert.rejects(telltale('find', randomUUID()), /KAFKA_UNREACHABLE/);
    const event = [{ metric: 'm', type: 'increment', value: 1 }];
    const refused = await post('/', event);
    assert.equal(refused.status, 503, await refused.text());
    assert.ok(refused.headers.has('retry-after'));
    await pipeline.stack.kafka.start();
    await until('the edge takes events again', async () => (await post('/', event)).status === 200);
    const metric = await sendEvents(5);
    await until('they are stored', async () => (await stored(metric)) === 5);
  });
});
