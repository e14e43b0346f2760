import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { shortSessions, startPipeline, type Pipeline } from '../support/pipeline.js';
import { atScale } from '../support/scale.js';
import {
  reply,
  sound,
  startStubLanguageModel,
  type StubLanguageModel,
} from '../support/stub-language-model.js';
import { inParallel, taskClient } from '../support/task-client.js';

const metrics = '/api/v1/monitoring/metrics';
const tasks = atScale(80, 240);
const callsOfAWave = 12;
const kills = atScale(1, 3);

interface Called {
  readonly status: number;
  readonly id: string | undefined;
}

describe('the lanes of the language model, while their process is killed', () => {
  let stub: StubLanguageModel;
  let pipeline: Pipeline;
  const taskIds: string[] = [];
  let interrupted: readonly Called[] = [];
  let undisturbed: readonly Called[] = [];

  const wave = (name: string): Promise<readonly Called[]> =>
    Promise.all(Array.from({ length: callsOfAWave }, (_, at) => call(`${name}, call ${at}`)));
  async function call(prompt: string): Promise<Called> {
    const answer = await fetch(`${pipeline.edge.url}${metrics}/detected-prompt-injection`, {
      method: 'POST',
      body: JSON.stringify({ prompt }),
      headers: { authorization: `Bearer ${pipeline.key}`, 'content-type': 'application/json' },
    });
    const { id } = (await answer.json()) as { id?: string };
    return { status: answer.status, id };
  }

  before(async () => {
    stub = await startStubLanguageModel();
    // Every third answer is slow, so that each kill finds some in progress, and some requeued calls.
    const well = sound('');
    stub.behave((request) => {
      const behaviour = well(request);
      const slow = request.index % 3 === 0 ? 1_500 : 30;
      return behaviour.kind === 'reply' ? reply(behaviour.text, { afterMs: slow }) : behaviour;
    });
    pipeline = await startPipeline('lanes-killed', {
      processors: {
        ...shortSessions,
        LLM_BASE_URL: stub.baseUrl,
        LLM_MODEL: 'stub-1',
        LLM_CONCURRENCY: '32',
        LLM_TASKS_AT_ONCE: '16',
        SCORING_THREADS: '1',
      },
    });
    const client = taskClient(pipeline.edge.url, pipeline.key, 4);
    await inParallel(tasks, 4, async (at) => {
      const attempt = await client.submit(`${metrics}/detected-prompt-injection/task`, {
        prompt: `task ${at}`,
      });
      assert.equal(attempt.kind, 'accepted', JSON.stringify(attempt));
      taskIds.push(attempt.taskId);
    });
    client.close();
    const waves: Promise<readonly Called[]>[] = [];
    for (let kill = 0; kill < kills; kill++) {
      const asked = stub.requests.length;
      for (let tries = 0; stub.requests.length < asked + 10 && tries < 10_000; tries++) await sleep(25);
      waves.push(wave(`before kill ${kill}`));
      await sleep(500);
      await pipeline.processors.kill9();
      await pipeline.processors.start();
    }
    interrupted = (await Promise.all(waves)).flat();
    undisturbed = await wave('after all');
  });
  after(async () => {
    await pipeline.stop();
    await stub.stop();
  });

  it('lose no task, and score each as the language model answered', async () => {
    const client = taskClient(pipeline.edge.url, pipeline.key, 4);
    assert.equal(taskIds.length, tasks);
    await inParallel(tasks, 4, async (at) => {
      for (let tries = 0; ; tries++) {
        const { body } = await client.status(taskIds[at] ?? '');
        if (body['status'] === 'processed') {
          const { metrics: found } = body['result'] as { metrics: Record<string, { score: number }> };
          assert.equal(found['detected_prompt_injection']?.score, 0);
          return;
        }
        assert.notEqual(body['status'], 'failed', JSON.stringify(body));
        assert.ok(tries < 2_400, `a task is still ${String(body['status'])}`);
        await sleep(100);
      }
    });
    client.close();
    const prompts = stub.requests.map(({ question }) => question.split('Text: ')[1]);
    assert.ok(prompts.length > new Set(prompts).size, 'no kill cost an answer: each came too late');
  });

  it('answer calls or report that they are late, and leave at most one row per call', async () => {
    // 503: the language model was asked too late to answer in time; 504: not asked before the deadline.
    for (const { status } of interrupted) assert.ok([200, 503, 504].includes(status), `status ${status}`);
    for (const { status } of undisturbed) assert.equal(status, 200);
    const called = [...interrupted, ...undisturbed];
    const stored = async (): Promise<ReadonlyMap<string, number>> => {
      const rows = await pipeline.query<{ id: string; copies: string }>(
        "SELECT toString(task_id) AS id, count() AS copies FROM telltale.scoring_results WHERE workspace = 'lanes-killed' GROUP BY task_id",
      );
      return new Map(rows.map(({ id, copies }) => [id, Number(copies)]));
    };
    const wanted = [...taskIds, ...called.flatMap(({ status, id }) => (status === 200 ? [id ?? ''] : []))];
    for (let tries = 0; ; tries++) {
      const found = await stored();
      const missing = wanted.filter((id) => !found.has(id));
      if (missing.length === 0) break;
      assert.ok(tries < 2_400, `${missing.length} rows did not come`);
      await sleep(100);
    }
    const found = await stored();
    assert.deepEqual(
      [...found].filter(([, copies]) => copies > 1),
      [],
    );
    assert.ok(found.size <= tasks + called.length);
    const { duplicates, gaps } = await pipeline.audit();
    assert.deepEqual({ duplicates, gaps }, { duplicates: 0, gaps: 0 });
  });
});
