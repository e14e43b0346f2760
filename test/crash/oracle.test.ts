import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { atScale } from '../support/scale.js';
import { inParallel, taskClient } from '../support/task-client.js';
import { TaskOracle } from '../support/task-oracle.js';
import { killable, startPipeline, type Pipeline } from '../support/pipeline.js';
import { scoredAlone } from '../support/scored-alone.js';

const connections = 8;
/** The pause between two requests of a connection. */
const everyMs = atScale(500, 28);
const rounds = atScale(1, 2);
const clickhouseAwayMs = atScale(3_000, 20_000);

/** Kills each part in turn while the client keeps sending, and stops ClickHouse for a while. */
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
  const oracle = new TaskOracle('oracle');

  before(async () => {
    pipeline = await startPipeline('oracle', killable);
    const client = taskClient(pipeline.edge.url, pipeline.key, connections);
    let over = false;
    let next = 0;
    const submitted = inParallel(connections, connections, async () => {
      while (!over) {
        await oracle.submitUntilAccepted(client, next++);
        await sleep(everyMs);
      }
    });
    await havoc(pipeline);
    over = true;
    await submitted;
    assert.equal(oracle.acknowledged.size, next);
    client.close();
  });

  after(async () => pipeline.stop());

  it('is processed, as the status endpoint says', async () => {
    const client = taskClient(pipeline.edge.url, pipeline.key, connections);
    await oracle.verifyProcessed(client, connections);
    client.close();
  });

  it('is in ClickHouse exactly once, and every other row belongs to an attempt that failed for its client', async () => {
    await pipeline.sinkCaughtUp();
    await oracle.verifyStored(pipeline);
  });

  it('has the same result as its text scored alone', async () => {
    const rows = await pipeline.query<{ prompt: string; metrics: string }>(
      "SELECT prompt, metrics FROM telltale.scoring_results WHERE workspace = 'oracle'",
    );
    assert.ok(rows.length >= oracle.acknowledged.size);
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
