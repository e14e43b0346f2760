import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { killable, sharedPipeline, type Pipeline } from '../../support/pipeline.js';
import { atScale } from '../../support/scale.js';
import { inParallel, isOutage } from '../../support/task-client.js';

const batches = atScale(20, 40);
const tasksOfABatch = atScale(20, 50);
const kills = atScale(1, 6);

describe('batches of tasks under an Idempotency-Key, while the edge is killed', () => {
  let pipeline: Pipeline;
  const idsOfBatches = new Map<number, readonly string[]>();
  let cutOff = 0;
  const refusals = new Set<number>();

  /** The ids of a batch's tasks; undefined if no 202 was received. */
  async function submit(batch: number): Promise<readonly string[] | undefined> {
    const requests = Array.from({ length: tasksOfABatch }, (_, at) => ({
      prompt: `batch ${batch}, task ${at}`,
    }));
    try {
      const answer = await fetch(
        `${pipeline.edge.url}/api/v1/monitoring/metrics/task/batch?metric=text_sentiment`,
        {
          method: 'POST',
          body: JSON.stringify(requests),
          headers: {
            authorization: `Bearer ${pipeline.key}`,
            'content-type': 'application/json',
            'idempotency-key': `batch-${batch}`,
          },
        },
      );
      const text = await answer.text();
      if (answer.status === 202)
        return (JSON.parse(text) as { tasks: { task_id: string }[] }).tasks.map(({ task_id: id }) => id);
      refusals.add(answer.status);
    } catch {
      // The edge was killed.
    }
    return undefined;
  }

  before(async () => {
    pipeline = await sharedPipeline('batches-killed', killable);
    const submitted = inParallel(batches, 4, async (batch) => {
      for (;;) {
        const ids = await submit(batch);
        if (ids !== undefined) {
          idsOfBatches.set(batch, ids);
          return;
        }
        cutOff += 1;
        await sleep(50);
      }
    });
    for (let kill = 1; kill <= kills; kill++) {
      while (idsOfBatches.size < (kill * batches) / (kills + 1)) await sleep(2);
      await pipeline.edge.kill9();
      await pipeline.edge.start();
    }
    await submitted;
  });

  it('are stored whole and once, however often they were sent', async () => {
    assert.ok(cutOff > 0, 'no kill cut a request off');
    assert.deepEqual(
      [...refusals].filter((status) => !isOutage(status)),
      [],
    );
    const wanted = batches * tasksOfABatch;
    const counted = async (): Promise<{ rows: number; tasks: number; prompts: number }> => {
      const [found] = await pipeline.query<{ rows: string; tasks: string; prompts: string }>(
        "SELECT count() AS rows, uniqExact(task_id) AS tasks, uniqExact(prompt) AS prompts FROM telltale.scoring_results WHERE workspace = 'batches-killed'",
      );
      return { rows: Number(found?.rows), tasks: Number(found?.tasks), prompts: Number(found?.prompts) };
    };
    for (let tries = 0; (await counted()).prompts < wanted; tries++) {
      assert.ok(tries < 2_400, `${JSON.stringify(await counted())} of ${wanted}`);
      await sleep(100);
    }
    assert.deepEqual(await counted(), { rows: wanted, tasks: wanted, prompts: wanted });
  });

  it('give the same tasks when they are sent once more', async () => {
    for (const batch of [0, batches - 1]) assert.deepEqual(await submit(batch), idsOfBatches.get(batch));
  });
});
