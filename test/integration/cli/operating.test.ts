import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PipelineLag, StageLag } from '../../../cli/lag/pipeline-lag.js';
import type { Finding } from '../../../cli/doctor/check.js';
import type { Found } from '../../../cli/find/found.js';
import { timeOrderedId } from '../../../http-edge/scoring/task-id.js';
import { reasonOf } from '../../../runtime/errors.js';
import { openCodec } from '../../../runtime/registry/codec.js';
import { connectRegistry } from '../../../runtime/registry/registry.js';
import { ingestSpans } from '../../../topics/ingest.js';
import { scoringRequests } from '../../../topics/scoring.js';
import { newKey } from '../../support/operator-questions.js';
import { startPipeline, type Pipeline } from '../../support/pipeline.js';
import { runCommand } from '../../support/commands.js';
import { role, runTelltale } from '../../support/roles.js';
import { connectedProducer, plainKafka } from '../../support/kafka.js';
import { until } from '../../support/until.js';

const operations = readFileSync('docs/operations.md', 'utf8');

describe('operating a pipeline', () => {
  let pipeline: Pipeline;

  before(async () => {
    const MAINTENANCE_SCHEDULE = 'audit=*/15 * * * * *; doctor=7-59/15 * * * * *; keys=*/15 * * * * *';
    pipeline = await startPipeline('operating', { sinks: { MAINTENANCE_SCHEDULE } });
  });
  after(() => pipeline.stop());

  const authorization = (): { authorization: string } => ({ authorization: `Bearer ${pipeline.key}` });
  const sendEvents = async (count: number): Promise<string> => {
    const metric = randomUUID();
    const answer = await fetch(`${pipeline.edge.url}/`, {
      method: 'POST',
      headers: { ...authorization(), 'content-type': 'application/json' },
      body: JSON.stringify(Array.from({ length: count }, () => ({ metric, type: 'increment', value: 1 }))),
    });
    assert.equal(answer.status, 200, await answer.text());
    return metric;
  };
  const lag = async (): Promise<PipelineLag> =>
    JSON.parse(await runCommand(['lag', '--json'], pipeline.environment)) as PipelineLag;
  const sinkOf = ({ stages }: PipelineLag, stage = 'sinks/events'): StageLag => {
    const found = stages.find((one) => one.stage === stage);
    assert.ok(found !== undefined);
    return found;
  };
  /** From the edge's API, because a command takes a second to start. */
  const stagesOfEdge = async (): Promise<readonly StageLag[]> => {
    const answer = await fetch(`${pipeline.edge.url}/api/v1/pipeline`, { headers: authorization() });
    const said = (await answer.json()) as Partial<PipelineLag>;
    return said.stages ?? [];
  };
  const untilSink = (what: string, holds: (sink: StageLag) => boolean): Promise<void> =>
    until(what, async () => (await stagesOfEdge()).some((one) => one.stage === 'sinks/events' && holds(one)));

  const postTask = async (headers: Record<string, string> = {}): Promise<string> => {
    const answer = await fetch(`${pipeline.edge.url}/api/v1/monitoring/metrics/text-sentiment/task`, {
      method: 'POST',
      headers: { ...authorization(), 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ prompt: 'The ferry was late.' }),
    });
    const body = (await answer.json()) as { task_id: string };
    assert.equal(answer.status, 202);
    return body.task_id;
  };
  const find = async (id: string, ...options: readonly string[]): Promise<Found> =>
    JSON.parse(await runCommand(['find', id, '--json', ...options], pipeline.environment)) as Found;
  /** At first the key can be unknown (401) and the search too slow (503); no other code may occur. */
  const untilAnswered = (id: string, headers: Record<string, string>, wanted: number): Promise<void> =>
    until(`the edge answers ${wanted}`, async () => {
      const { status } = await fetch(`${pipeline.edge.url}/api/v1/find/${id}`, { headers });
      assert.ok([401, 503, wanted].includes(status), `answered ${status}`);
      return status === wanted;
    });
  let waitingTask = '';
  let missingEvent = '';
  const eventQuery = (metric: string): string => {
    const [, sql = ''] = /`(SELECT \* FROM telltale\.events [^`]+)`/.exec(operations) ?? [];
    return sql.replace("'default'", "'operating'").replace('…', metric);
  };

  describe('telltale lag', () => {
    it('knows where every stage stands', async () => {
      const metric = await sendEvents(3);
      await until('the events are stored', async () => {
        const sql = `SELECT count() AS rows FROM telltale.events WHERE metric = '${metric}'`;
        return Number((await pipeline.query<{ rows: string }>(sql))[0]?.rows) === 3;
      });
      await until('nothing lags', async () => {
        const stages = await stagesOfEdge();
        return stages.length > 0 && stages.every(({ lag_records: records }) => records === 0);
      });
      const { stages } = await lag();
      for (const { stage, state, members, unknown, waits_for, lag_seconds, partitions } of stages) {
        const all = { state, members, unknown, waits_for, lag_seconds };
        const good = { state: 'running', members: 1, unknown: null, waits_for: null, lag_seconds: 0 };
        assert.deepEqual(all, good, stage);
        assert.ok(partitions.length > 0, stage);
        const readers = new Set(partitions.map(({ process }) => process));
        assert.equal(readers.size, members, stage);
        assert.ok(!readers.has(null), stage);
      }
      assert.ok((sinkOf({ at: '', stages }).appended_last_minute ?? 0) >= 3);
    });

    it('A process is gone: lag names it and says how long its records have waited, also as metrics', async () => {
      await pipeline.sinks.stop();
      await sendEvents(5);
      await untilSink('five records wait', ({ lag_records: records }) => records === 5);
      const behind = sinkOf(await lag());
      assert.equal(behind.state, 'stopped');
      assert.ok(behind.partitions.every(({ process }) => process === null));
      assert.match(
        behind.waits_for ?? '',
        /telltale\.sink\.events has no member; start one \(`telltale sinks`\)/,
      );
      assert.ok((behind.lag_seconds ?? 0) > 0);
      assert.match(
        await runCommand(['lag'], pipeline.environment),
        /sinks\/events +\S+ m?i?n?s? +5 +0 .*no member/,
      );

      const answer = await fetch(`${pipeline.edge.url}/api/v1/pipeline`, { headers: authorization() });
      assert.equal(sinkOf((await answer.json()) as PipelineLag).lag_records, 5);
      await until('the edge says it as a metric', async () => {
        const said = await (await fetch(`${pipeline.edge.url}/metrics`)).text();
        const partitions = said.matchAll(/^telltale_stage_lag_records\{stage="sinks\/events",.*\} (\d+)$/gm);
        return [...partitions].reduce((sum, [, records]) => sum + Number(records), 0) === 5;
      });
    });

    it('lists the overflow in a separate process if one runs only the overflow', async () => {
      const processors = (part: string) =>
        role({
          command: 'processors',
          portVariable: 'PROCESSORS_PORT',
          environment: { ...pipeline.environment, PROCESSORS_RUN: part },
          logFile: join(pipeline.folder, `processors-${part}.log`),
        });
      const call = async (prompt: string) =>
        fetch(`${pipeline.edge.url}/api/v1/monitoring/metrics/text-sentiment`, {
          method: 'POST',
          headers: { ...authorization(), 'content-type': 'application/json' },
          body: JSON.stringify({ prompt }),
        });
      const stage = 'processors/score-metrics-realtime-overflow';
      const parts = await Promise.all([processors('lanes'), processors('overflow')]);
      const [lanes, overflow] = parts;
      await pipeline.processors.stop();
      try {
        await lanes.start();
        assert.equal((await call('The ferry was late.')).status, 200);
        const long = call('The ferry was late. '.repeat(600));
        await until('the long call waits for a process', async () =>
          (await stagesOfEdge()).some(
            (one) => one.stage === stage && (one.lag_records ?? 0) > 0 && one.state === 'stopped',
          ),
        );
        await overflow.start();
        assert.equal((await long).status, 200);
      } finally {
        for (const part of parts) await part.stop();
        await pipeline.processors.start();
      }
    });

    it('A result does not come: find names the missing process, in the task’s own workspace only', async () => {
      const id = await postTask();
      await until('the result waits', async () => (await find(id)).detail.includes('sinks/scoring-results'));
      const { outcome, detail, hops } = await find(id);
      assert.equal(outcome, 'on its way');
      assert.match(
        detail,
        /^sinks\/scoring-results has not finished with scoring\.results\/\d+ at offset \d+; it has no running process/,
      );
      const names = hops.map(({ hop }) => hop);
      for (const hop of ['request appended', 'status processed', 'result appended'])
        assert.ok(names.includes(hop), `${hop}: ${names.join(', ')}`);
      await until('the edge finds it within its time', async () => {
        const answer = await fetch(`${pipeline.edge.url}/api/v1/find/${id}`, { headers: authorization() });
        return answer.status === 200 && ((await answer.json()) as Found).outcome === 'on its way';
      });
      const key = await newKey(pipeline.environment, 'another', ['read']);
      const stranger = { authorization: `Bearer ${key}` };
      await untilAnswered(id, stranger, 404);
      waitingTask = id;
    });

    it('An event does not come: the query of docs/operations.md finds none, and lag names what it waits for', async () => {
      missingEvent = await sendEvents(1);
      assert.deepEqual(await pipeline.query(eventQuery(missingEvent)), []);
      assert.match(sinkOf(await lag()).waits_for ?? '', /start one \(`telltale sinks`\)/);
    });

    it('ClickHouse is away: it is named, and once it is back, nothing lags', async () => {
      await pipeline.sinks.start();
      await untilSink('all is read', ({ lag_records: records }) => records === 0);
      assert.equal((await pipeline.query(eventQuery(missingEvent))).length, 1);
      await pipeline.stack.clickhouseServer.kill9();
      await sendEvents(2);
      await untilSink(
        'ClickHouse is named',
        ({ waits_for: what }) => what?.startsWith('ClickHouse: ') === true,
      );
      await pipeline.stack.clickhouseServer.start();
      await untilSink('all is read', ({ lag_records: records }) => records === 0);
    });
  });

  describe('telltale find', () => {
    it('shows each step of a task that is stored, with its time and place', async () => {
      await until('the task is stored', async () => (await find(waitingTask)).outcome === 'stored');
      const { hops, complete } = await find(waitingTask);
      assert.ok(complete);
      assert.deepEqual(
        hops.map(({ hop }) => hop).filter((hop) => !hop.startsWith('status')),
        ['accepted', 'request appended', 'taken by a processor', 'scored', 'result appended', 'stored'],
      );
      const request = hops.find(({ hop }) => hop === 'request appended');
      assert.equal(request?.topic, 'scoring.requests');
      assert.ok(Number.isInteger(request.offset));
      assert.match(
        await runCommand(['find', waitingTask], pipeline.environment),
        /: stored\. .*\n\n.* accepted /s,
      );
    });

    it('is not misled by a record that quotes the id', async () => {
      const id = timeOrderedId();
      const codec = await openCodec(scoringRequests, connectRegistry(pipeline.stack.registryConfig));
      const request = {
        ...{ id, workspace: 'operating', key_id: 'x', metric: 'text_sentiment', prompt: 'A ferry.' },
        ...{ response: null, accepted_at: Date.now() * 1_000, deadline: null, reply_to: null },
        request_digest: null,
      };
      const quoting = { ...request, id: randomUUID(), workspace: 'another', prompt: `Where is ${id}?` };
      const producer = await connectedProducer(plainKafka(pipeline.stack.brokers));
      const messages = [quoting, request].map((one) => ({ key: id, value: codec.encode(one) }));
      await producer.send({ topic: scoringRequests.name, messages });
      await producer.disconnect();
      for (const workspace of [[], ['--workspace', 'operating']])
        await until('the request itself is found', async () => {
          const { hops } = await find(id, ...workspace).catch((): Pick<Found, 'hops'> => ({ hops: [] }));
          const requests = hops.filter(({ hop }) => hop === 'request appended');
          assert.ok(requests.length <= 1);
          return requests.length === 1;
        });
    });

    it('finds what was sent under an Idempotency-Key, and a batch of an agent', async () => {
      // An Idempotency-Key can look like any of Telltale's own ids.
      for (const key of [`order-${randomUUID()}`, randomUUID(), randomUUID().replaceAll('-', '')]) {
        const id = await postTask({ 'idempotency-key': key });
        const found = await find(key, '--workspace', 'operating');
        assert.match(found.detail, new RegExp(`^It is task ${id}\\.`));
      }
      const spool = randomUUID();
      const sent = await fetch(`${pipeline.edge.url}/api/v1/agent/events`, {
        method: 'POST',
        headers: { ...authorization(), 'content-type': 'application/x-ndjson', 'batch-id': `${spool}/1` },
        body: JSON.stringify({ metric: 'boats', type: 'increment', value: 1 }),
      });
      assert.equal(sent.status, 200, await sent.text());
      assert.match((await find(`${spool}/1`)).detail, /accepted it: events/);
      await assert.rejects(find(`${spool}/2`), /this spool has not reached that number/i);
    });

    it('Records become dead letters: those who may see everything see why', async () => {
      const trace = randomUUID().replaceAll('-', '');
      const producer = await connectedProducer(plainKafka(pipeline.stack.brokers));
      await producer.send({
        topic: ingestSpans.name,
        messages: [{ key: trace, value: Buffer.from('no Avro') }],
      });
      await producer.disconnect();
      await until('it is a dead letter', async () => {
        const found = await find(trace).catch(() => undefined);
        return found?.outcome === 'dead letter';
      });
      const letter = (await find(trace)).hops.find(({ hop }) => hop === 'dead letter');
      assert.match(
        letter?.detail ?? '',
        /^spans could not process ingest\.spans\/\d+ at \d+: RECORD_UNDECODABLE/,
      );
      await untilAnswered(trace, authorization(), 404);
      const letterId = /letter (\w+)/.exec(letter?.detail ?? '')?.[1] ?? '';
      await assert.rejects(
        runCommand(['dead-letters', 'show', letterId, '--text'], {
          ...pipeline.environment,
          TELLTALE_API_KEY: await newKey(pipeline.environment, 'operating', ['admin']),
        }),
        /its workspace is unknown/,
      );
    });

    it('says how far back it searched for an unknown id, and fails', async () => {
      await assert.rejects(find(randomUUID()), /"outcome":"not seen"/);
    });
  });

  it('runs the scheduled tasks, and shows their findings as metrics and in its log', async () => {
    const shown =
      /^telltale_maintenance_findings\{task="(audit|doctor|keys)",finding="(gaps|problems|expiring)"\} \d+$/gm;
    await until('each task has run', async () => {
      const metrics = await (await fetch(`${pipeline.sinks.url}/metrics`)).text();
      return [...metrics.matchAll(shown)].length === 3;
    });
    for (const task of ['audit', 'doctor', 'keys'])
      await until(`the log says that ${task} has run`, () =>
        new RegExp(`"task":"${task}".*a scheduled task has run`).test(
          readFileSync(join(pipeline.folder, 'sinks.log'), 'utf8'),
        ),
      );
  });

  describe('telltale doctor', () => {
    const doctor = async (): Promise<readonly Finding[]> => {
      const printed = await runCommand(['doctor', '--json'], pipeline.environment).catch((error: unknown) =>
        reasonOf(error).slice(reasonOf(error).indexOf('{')),
      );
      return (JSON.parse(printed) as { checks: Finding[] }).checks;
    };
    const finding = (checks: readonly Finding[], name: string): Finding | undefined =>
      checks.find(({ check }) => check === name);

    it('finds nothing wrong but the dead letters, and fails because of them', async () => {
      await untilSink('all is read', ({ lag_records: records }) => records === 0);
      const checks = await doctor();
      // Contract tests have written reports of all kinds of agents to this Kafka.
      const bad = checks.filter(
        ({ check, verdict }) => verdict === 'problem' && check !== 'spools of agents',
      );
      assert.deepEqual(
        bad.map(({ check }) => check),
        ['dead letters'],
        JSON.stringify(bad),
      );
      // Other tests have left dead letters in this Kafka, and only five groups are named.
      assert.match(bad[0]?.detail ?? '', /of spans \(RECORD_UNDECODABLE\)|and \d+ more/);
      const unknown = checks.filter(({ verdict }) => verdict === 'unknown').map(({ check }) => check);
      assert.deepEqual(unknown, [], JSON.stringify(checks));
      await assert.rejects(
        runTelltale(['doctor'], pipeline.environment),
        /problem {2}dead letters: \d+ (?:is|are) open/,
      );
    });

    it('says what to do about each unavailable part, and still checks everything else', async () => {
      await pipeline.stack.clickhouseServer.kill9();
      await pipeline.processors.stop();
      const checks = await doctor();
      assert.equal(finding(checks, 'ClickHouse')?.verdict, 'problem');
      assert.equal(finding(checks, 'audit')?.verdict, 'unknown');
      assert.equal(finding(checks, 'topics')?.verdict, 'good');
      assert.match(finding(checks, 'stages')?.detail ?? '', /No process runs for processors\/score-metrics/);
      assert.match(finding(checks, 'stages')?.cure ?? '', /Start `telltale processors`/);
      await pipeline.stack.clickhouseServer.start();
    });
  });
});
