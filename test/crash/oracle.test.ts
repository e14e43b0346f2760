import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { atScale } from '../support/scale.js';
import { inParallel, taskClient, type TaskClient } from '../support/task-client.js';
import { shortSessions, standardAppends, startPipeline, type Pipeline } from '../support/pipeline.js';
import { scoredAlone } from '../support/scored-alone.js';

const connections = 8;
/** Between two requests of a connection. */
const everyMs = atScale(100, 28);
const rounds = atScale(1, 2);
const clickhouseAwayMs = atScale(5_000, 20_000);
const path = '/api/v1/monitoring/metrics/text-metrics/task';

/** Every text is unique, so that a row can be traced to the attempt that made it. */
const textOf = (index: number): string =>
  `Request ${index} says that the harbour was ${index % 2 === 0 ? 'wonderfully calm' : 'terribly rough'}. Nobody sailed. ${'It rained. '.repeat(index % 7)}`;

const indexOf = (text: string): number => Number(/^Request (\d+) /.exec(text)?.[1]);

/** Remembers every acknowledged id and every attempt whose outcome the client never learned. */
interface Ledger {
  readonly acknowledged: Map<string, number>;
  readonly cutOff: Map<number, number>;
}

async function submitUntilAccepted(client: TaskClient, index: number, ledger: Ledger): Promise<void> {
  for (;;) {
    const attempt = await client.submit(path, { prompt: textOf(index) });
    if (attempt.kind === 'accepted') {
      ledger.acknowledged.set(attempt.taskId, index);
      return;
    }
    ledger.cutOff.set(index, (ledger.cutOff.get(index) ?? 0) + 1);
    await sleep(100);
  }
}

/** Kills each part in turn while the client goes on, and stops ClickHouse for a while. */
async function havoc(pipeline: Pipeline): Promise<void> {
  const { edge, processors, sinks, stack } = pipeline;
  const blows: readonly (readonly [string, () => Promise<void>])[] = [
    ['processor', () => processors.kill9().then(() => processors.start())],
    ['sink', () => sinks.kill9().then(() => sinks.start())],
    ['edge', () => edge.kill9().then(() => edge.start())],
    ['broker', () => stack.kafka.kill9().then(() => stack.kafka.start())],
    [
      'clickhouse',
      async () => {
        await stack.clickhouseServer.stop();
        await sleep(clickhouseAwayMs);
        await stack.clickhouseServer.start();
      },
    ],
  ];
  for (let round = 0; round < rounds; round++) {
    for (const [name, blow] of blows) {
      if (round > 0 && name === 'clickhouse') continue;
      await sleep(1_000);
      await blow();
    }
  }
}

describe('oracle: every acknowledged task', function () {
  this.timeout(40 * 60_000);
  let pipeline: Pipeline;
  const ledger: Ledger = { acknowledged: new Map(), cutOff: new Map() };

  before(async () => {
    pipeline = await startPipeline('oracle', {
      edge: standardAppends,
      processors: shortSessions,
      sinks: shortSessions,
    });
    const client = taskClient(pipeline.edge.url, pipeline.key, connections);
    let over = false;
    let next = 0;
    const submitted = inParallel(connections, connections, async () => {
      while (!over) {
        await submitUntilAccepted(client, next++, ledger);
        await sleep(everyMs);
      }
    });
    await havoc(pipeline);
    over = true;
    await submitted;
    assert.equal(ledger.acknowledged.size, next);
    client.close();
  });

  after(async () => pipeline.stop());

  it('is processed, as the status endpoint says', async () => {
    const client = taskClient(pipeline.edge.url, pipeline.key, connections);
    const ids = [...ledger.acknowledged.keys()];
    await inParallel(ids.length, connections, async (at) => {
      const id = ids[at] ?? '';
      for (let tries = 0; ; tries++) {
        const { code, body } = await client.status(id);
        // 503: it can not know in time. Not a wrong answer, and asked again.
        assert.ok(code === 200 || code === 503, `${id}: ${JSON.stringify(body)}`);
        if (body['status'] === 'processed') return;
        assert.notEqual(body['status'], 'failed', JSON.stringify(body));
        assert.ok(tries < 2_400, `${id} is still ${String(body['status'])}`);
        await sleep(200);
      }
    });
    client.close();
  });

  it('is in ClickHouse once, and what no client heard of belongs to a request that was cut off', async () => {
    await pipeline.sinkCaughtUp();
    const rows = await pipeline.query<{ id: string; prompt: string; copies: string }>(
      "SELECT toString(task_id) AS id, any(prompt) AS prompt, count() AS copies FROM telltale.scoring_results WHERE workspace = 'oracle' GROUP BY task_id",
    );
    const doubled = await pipeline.query(
      `SELECT toString(task_id) AS id, groupArray((appended_at, taken_at, _partition, _offset)) AS copies
       FROM telltale.scoring_results WHERE workspace = 'oracle' GROUP BY task_id HAVING count() > 1`,
    );
    assert.deepEqual(doubled, []);
    const stored = new Map(rows.map((row) => [row.id, row]));
    for (const [id, index] of ledger.acknowledged) {
      const row = stored.get(id);
      assert.ok(row, `${id} (request ${index}) is not in ClickHouse`);
      assert.equal(Number(row.copies), 1, `${id} is there ${row.copies} times`);
      assert.equal(indexOf(row.prompt), index);
    }
    for (const row of rows) {
      if (ledger.acknowledged.has(row.id)) continue;
      assert.ok(ledger.cutOff.has(indexOf(row.prompt)), `nobody sent ${row.id}: ${row.prompt}`);
      assert.equal(Number(row.copies), 1);
    }
  });

  it('has the result that the same text gives alone', async () => {
    const rows = await pipeline.query<{ prompt: string; metrics: string }>(
      "SELECT prompt, metrics FROM telltale.scoring_results WHERE workspace = 'oracle'",
    );
    for (const { prompt, metrics } of rows) {
      const { created_at: at, ...values } = (JSON.parse(metrics) as { text_metrics: Record<string, unknown> })
        .text_metrics;
      assert.match(String(at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      assert.deepEqual(values, scoredAlone('text_metrics', prompt));
    }
  });

  it('leaves an audit without duplicates and gaps', async () => {
    assert.deepEqual(await pipeline.audit(), { duplicates: 0, gaps: 0, expired: 0 });
  });
});
