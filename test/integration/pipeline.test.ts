import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { metricDeclarations } from '../../schemas/metrics.js';
import { secondLongest, turnsOf } from '../support/figures.js';
import { sharedPipeline, type Pipeline } from '../support/pipeline.js';
import type { Role } from '../support/roles.js';
import { atScale } from '../support/scale.js';
import { scoredAlone } from '../support/scored-alone.js';
import { taskClient } from '../support/task-client.js';
import { until } from '../support/until.js';

const metrics = '/api/v1/monitoring/metrics';

describe('the pipeline, every role a process', () => {
  let pipeline: Pipeline;
  let other: Role;

  const post = (
    url: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> =>
    fetch(`${url}${metrics}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${pipeline.key}`, 'content-type': 'application/json', ...headers },
    });

  async function outcomeOf(taskId: string): Promise<Record<string, unknown>> {
    const client = taskClient(pipeline.edge.url, pipeline.key, 1);
    let outcome: Record<string, unknown> = {};
    await until(`${taskId} is done`, async () => {
      outcome = (await client.status(taskId)).body;
      return outcome['status'] === 'processed' || outcome['status'] === 'failed';
    });
    client.close();
    return outcome;
  }

  before(async () => {
    pipeline = await sharedPipeline('pipeline');
    other = await pipeline.anotherEdge();
  });

  after(async () => {
    await other.stop();
    await pipeline.stop();
  });

  it('stores events from each way in: one by GET, an array, and a batch of an agent', async () => {
    const metric = randomUUID();
    const { key, edge } = pipeline;
    const send = async (path: string, headers: Record<string, string>, body?: string): Promise<void> => {
      const answer = await fetch(`${edge.url}${path}`, {
        headers,
        ...(body === undefined ? {} : { method: 'POST', body }),
      });
      assert.equal(answer.status, 200, await answer.text());
    };
    const authorization = `Bearer ${key}`;
    const event = (value: number): object => ({ metric, type: 'increment', value, cluster: 'eu-1' });
    await send(`/?apiKey=${key}&metric=${metric}&type=increment&value=1&cluster=eu-1`, {});
    const json = { authorization, 'content-type': 'application/json' };
    await send('/', json, JSON.stringify([event(2), event(4)]));
    const lines = { authorization, 'content-type': 'application/x-ndjson', 'batch-id': `${randomUUID()}/1` };
    await send('/api/v1/agent/events', lines, JSON.stringify(event(8)));
    const stored = (): Promise<readonly Record<string, unknown>[]> =>
      pipeline.query(
        `SELECT workspace, cluster, source, toUInt32(count()) AS events, sum(value) AS sum FROM telltale.events
         WHERE metric = '${metric}' GROUP BY workspace, cluster, source ORDER BY source`,
      );
    const sum = (rows: readonly Record<string, unknown>[]): number =>
      rows.reduce((all, row) => all + Number(row['sum']), 0);
    await until('the events are stored', async () => sum(await stored()) >= 15);
    const of = { workspace: 'pipeline', cluster: 'eu-1' };
    assert.deepEqual(await stored(), [
      { ...of, source: 'agent', events: 1, sum: 8 },
      { ...of, source: 'edge', events: 3, sum: 7 },
    ]);
    const moved = async (): Promise<number> => {
      const [minute] = await pipeline.query<{ moved: number | null }>(
        `SELECT sum(change) AS moved FROM telltale.events_by_minute WHERE metric = '${metric}'`,
      );
      return minute?.moved ?? 0;
    };
    // A view gets the rows of an insert later than the table.
    await until('the minute has the events', async () => (await moved()) >= 15);
    assert.equal(await moved(), 15);
  });

  it('answers a real-time call with the scores, and has its row in ClickHouse', async () => {
    const prompt = `What a splendid harbour ${randomUUID()} is! It never disappoints.`;
    const answer = await post(pipeline.edge.url, '/text-metrics', { prompt });
    const body = (await answer.json()) as { id: string; metrics: { text_metrics: Record<string, unknown> } };
    assert.equal(answer.status, 200, JSON.stringify(body));
    const values = { ...body.metrics.text_metrics };
    delete values['created_at'];
    assert.deepEqual(values, scoredAlone('text_metrics', prompt));
    let row: { prompt: string; prompt_letter_count: string } | undefined;
    await until('the row is there', async () => {
      [row] = await pipeline.query<{ prompt: string; prompt_letter_count: string }>(
        `SELECT prompt, prompt_letter_count FROM telltale.scoring_results WHERE task_id = '${body.id}'`,
      );
      return row !== undefined;
    });
    assert.equal(row?.prompt, prompt);
    assert.equal(Number(row.prompt_letter_count), values['prompt.letter_count']);
  });

  it('finds a task on the other edge right after its 202', async () => {
    const here = taskClient(pipeline.edge.url, pipeline.key, 4);
    const there = taskClient(other.url, pipeline.key, 4);
    for (let round = 0; round < atScale(15, 50); round++) {
      const attempt = await here.submit(`${metrics}/text-sentiment/task`, { prompt: `fine ${round}` });
      if (attempt.kind !== 'accepted') throw new Error(attempt.reason);
      let answer = await there.status(attempt.taskId);
      while (answer.code === 503) answer = await there.status(attempt.taskId); // can't know in time
      assert.equal(answer.code, 200);
      assert.equal(answer.body['task_id'], attempt.taskId);
    }
    here.close();
    there.close();
  });

  it('accepts one Idempotency-Key once, even if both edges get it at the same moment', async () => {
    for (let round = 0; round < atScale(4, 10); round++) {
      const headers = { 'idempotency-key': randomUUID() };
      const body = { prompt: `once ${headers['idempotency-key']}` };
      const answers = await Promise.all(
        [pipeline.edge, other, pipeline.edge, other].map((edge) =>
          post(edge.url, '/text-sentiment/task', body, headers),
        ),
      );
      const ids = await Promise.all(
        answers.map(async (answer) => {
          const text = await answer.text();
          assert.equal(answer.status, 202, text);
          return (JSON.parse(text) as { task_id: string }).task_id;
        }),
      );
      assert.equal(new Set(ids).size, 1);
      assert.equal((await outcomeOf(ids[0] ?? ''))['status'], 'processed');
      const conflict = await post(other.url, '/text-sentiment/task', { prompt: 'another body' }, headers);
      assert.equal(conflict.status, 409);
    }
    await pipeline.sinkCaughtUp();
    const doubled = await pipeline.query(
      "SELECT prompt FROM telltale.scoring_results WHERE startsWith(prompt, 'once ') GROUP BY prompt HAVING count() > 1",
    );
    assert.deepEqual(doubled, []);
  });

  it('scores a batch of 1,000, each request by its own metric, once each', async () => {
    const prompt = `batch ${randomUUID()}`;
    const keys = ['text_sentiment', 'text_metrics', 'detected_sensitive_pattern'] as const;
    const requests = Array.from({ length: 1_000 }, (_, at) => ({
      prompt: at === 500 ? '' : `${prompt} ${at}: I love it, call 425-882-8080.`,
      metric: keys[at % keys.length],
    }));
    const send = async (): Promise<(string | undefined)[]> => {
      const answer = await post(pipeline.edge.url, '/task/batch', requests, {
        'idempotency-key': prompt.slice(6),
      });
      const text = await answer.text();
      assert.equal(answer.status, 202, text);
      const { tasks } = JSON.parse(text) as { tasks: { task_id?: string }[] };
      return tasks.map(({ task_id: id }) => id);
    };
    const ids = await send();
    assert.deepEqual(await send(), ids);
    assert.equal(new Set(ids).size, 1_000);
    for (const at of [0, 1, 2, 499, 501, 999]) {
      const outcome = await outcomeOf(ids[at] ?? '');
      assert.equal(outcome['status'], 'processed');
      const { metrics: scored } = outcome['result'] as { metrics: Record<string, unknown> };
      assert.deepEqual(Object.keys(scored), [keys[at % keys.length]]);
    }
    const rowsOfBatch = async (): Promise<readonly number[]> => {
      const [found] = await pipeline.query<{ rows: string; tasks: string }>(
        `SELECT count() AS rows, uniqExact(task_id) AS tasks FROM telltale.scoring_results WHERE startsWith(prompt, '${prompt}')`,
      );
      return [Number(found?.rows), Number(found?.tasks)];
    };
    await until('the rows are there', async () => (await rowsOfBatch())[1] === 999);
    assert.deepEqual(await rowsOfBatch(), [999, 999]);
  });

  it('lists the scorers as the processors say, with the versions that results carry', async () => {
    const listed = async (): Promise<{ metric: string; version: string | null; available: boolean }[]> => {
      const answer = await fetch(`${other.url}${metrics}/scorers`, {
        headers: { authorization: `Bearer ${pipeline.key}` },
      });
      assert.equal(answer.status, 200);
      return ((await answer.json()) as { scorers: Awaited<ReturnType<typeof listed>> }).scorers;
    };
    await until('every scorer was told of', async () =>
      (await listed()).every(({ version }) => version !== null),
    );
    const { task_id: id } = (await (
      await post(other.url, '/text-sentiment/task', { prompt: `versions ${randomUUID()}` })
    ).json()) as { task_id: string };
    assert.equal((await outcomeOf(id))['status'], 'processed');
    const versionInRow = async (): Promise<string | undefined> =>
      (
        await pipeline.query<{ version: string }>(
          `SELECT scorer_versions['text_sentiment'] AS version FROM telltale.scoring_results WHERE task_id = '${id}'`,
        )
      )[0]?.version;
    await until('the row is there', async () => (await versionInRow()) !== undefined);
    const scorers = new Map((await listed()).map((scorer) => [scorer.metric, scorer]));
    assert.equal(scorers.get('text_sentiment')?.version, await versionInRow());
    assert.equal(scorers.get('text_sentiment')?.available, true);
    assert.equal(scorers.get('hallucination')?.available, false);
  });

  it('answers 503 with the reason, and fails the task, if a metric cannot be computed', async () => {
    const body = { prompt: 'Say yes.', response: 'Yes.' };
    const answer = await post(pipeline.edge.url, '/hallucination', body);
    const problem = (await answer.json()) as { detail: string };
    assert.equal(answer.status, 503);
    assert.match(problem.detail, /\w/);
    const accepted = (await (await post(pipeline.edge.url, '/hallucination/task', body)).json()) as {
      task_id: string;
    };
    const outcome = await outcomeOf(accepted.task_id);
    assert.equal(outcome['status'], 'failed');
    assert.equal(typeof outcome['error'], 'string');
  });

  it('computes ten metric objects in the combined call', async () => {
    const answer = await post(pipeline.edge.url, '', {
      prompt: 'Where is the harbour?',
      response: 'By the sea.',
    });
    const body = (await answer.json()) as { metrics: Record<string, unknown> };
    assert.equal(answer.status, 200);
    assert.deepEqual(Object.keys(body.metrics).sort(), metricDeclarations.map(({ key }) => key).sort());
  });

  it('scores texts whose results are many times their size', async () => {
    const body = { prompt: 'a@b.co '.repeat(14_000), response: '1.1.1.1 '.repeat(12_000) };
    const accepted = await Promise.all(
      atScale([1, 2], [1, 2, 3, 4]).map(
        async () => (await (await post(other.url, '/task', body)).json()) as { task_id: string },
      ),
    );
    for (const { task_id: taskId } of accepted)
      assert.equal((await outcomeOf(taskId))['status'], 'processed');
    const answer = await post(pipeline.edge.url, '', body);
    assert.equal(answer.status, 200);
    assert.ok((await answer.text()).length > 4 * 1024 * 1024);
  });

  it('refuses a revoked key on every edge within a second', async () => {
    const keys = (method: string, path = '', body?: object): Promise<Response> =>
      fetch(`${other.url}/api/v1/keys${path}`, {
        method,
        headers: { authorization: `Bearer ${pipeline.key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    const times: number[] = [];
    for (let tried = 0; tried < atScale(3, 4); tried += 1) {
      const created = await keys('POST', '', { name: 'short-lived', scopes: ['metrics'] });
      const made = (await created.json()) as { key: string; key_id: string };
      const statuses = async (): Promise<number[]> =>
        Promise.all(
          [pipeline.edge, other].map(async (edge) => {
            const answer = await fetch(`${edge.url}${metrics}/task/${randomUUID()}/status`, {
              headers: { authorization: `Bearer ${made.key}` },
            });
            await answer.arrayBuffer();
            return answer.status;
          }),
        );
      const all = async (wanted: number): Promise<boolean> =>
        (await statuses()).every((status) => status === wanted);
      await until('the new key is taken', () => all(404));
      assert.ok((await keys('DELETE', `/${made.key_id}`)).ok);
      times.push(await turnsOf(until('the revoked key is refused', () => all(401))));
    }
    assert.ok(secondLongest(times) < 1_000, `a revoked key was still taken after ${times.join(', ')} ms`);
  });

  it('keeps the status of a task through kill -9 of the edge', async () => {
    const accepted = (await (
      await post(other.url, '/text-metrics/task', { prompt: 'Remember me.' })
    ).json()) as {
      task_id: string;
    };
    const before = await outcomeOf(accepted.task_id);
    await pipeline.edge.kill9();
    await pipeline.edge.start();
    assert.deepEqual(await outcomeOf(accepted.task_id), before);
  });
});
