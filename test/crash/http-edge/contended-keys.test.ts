import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { killable, sharedPipeline, type Pipeline } from '../../support/pipeline.js';
import type { Role } from '../../support/roles.js';
import { atScale } from '../../support/scale.js';
import { inParallel, taskClient } from '../../support/task-client.js';

const keys = atScale(40, 400);
const kills = atScale(1, 10);
const workspace = 'contended-keys';
const scoring = '/api/v1/monitoring/metrics/text-sentiment/task';

describe('Idempotency-Keys sent to two edges at once, each edge keeping all statuses, while one is killed', () => {
  let pipeline: Pipeline;
  let edges: readonly Role[];
  /** By key, the task id that each edge answered. */
  const tasks = new Map<string, readonly string[]>();
  let cutOff = 0;

  before(async () => {
    pipeline = await sharedPipeline(workspace, killable);
    edges = [pipeline.edge, await pipeline.anotherEdge()];
    const clients = edges.map(({ url }) => taskClient(url, pipeline.key, 8));
    const submitted = inParallel(keys, 8, async (at) => {
      const key = `key-${at}`;
      const ids = clients.map(async ({ submit }) => {
        for (;;) {
          const attempt = await submit(scoring, { prompt: key }, { 'idempotency-key': key });
          if (attempt.kind === 'accepted') return attempt.taskId;
          cutOff += 1;
          await sleep(50);
        }
      });
      tasks.set(key, await Promise.all(ids));
    });
    for (let kill = 1; kill <= kills; kill++) {
      while (tasks.size < (kill * keys) / (kills + 1)) await sleep(2);
      const victim = edges[kill % edges.length];
      await victim?.kill9();
      await victim?.start();
    }
    await submitted;
    for (const { close } of clients) close();
  });
  after(() => edges[1]?.stop());

  it('are one task each, whichever edge is asked', () => {
    assert.ok(cutOff > 0, 'no kill cut a request off');
    assert.equal(tasks.size, keys);
    assert.deepEqual(
      [...tasks].filter(([, ids]) => new Set(ids).size !== 1),
      [],
    );
  });

  it('are stored once each', async () => {
    const counted = async (): Promise<{ rows: number; tasks: number; prompts: number }> => {
      const [found] = await pipeline.query<{ rows: string; tasks: string; prompts: string }>(
        `SELECT count() AS rows, uniqExact(task_id) AS tasks, uniqExact(prompt) AS prompts
         FROM telltale.scoring_results WHERE workspace = '${workspace}'`,
      );
      return { rows: Number(found?.rows), tasks: Number(found?.tasks), prompts: Number(found?.prompts) };
    };
    for (let tries = 0; (await counted()).prompts < keys; tries++) {
      assert.ok(tries < 2_400, `${JSON.stringify(await counted())} of ${keys}`);
      await sleep(100);
    }
    // A second copy would be stored after the first.
    await pipeline.sinkCaughtUp();
    assert.deepEqual(await counted(), { rows: keys, tasks: keys, prompts: keys });
  });
});
