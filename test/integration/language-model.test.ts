import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { metricKeys } from '../../schemas/metrics.js';
import { modelFolderIfThere } from '../support/embedding-model.js';
import { startPipeline, type Pipeline } from '../support/pipeline.js';
import {
  cut,
  garbage,
  hang,
  sound,
  startStubLanguageModel,
  status,
  type StubLanguageModel,
} from '../support/stub-language-model.js';
import { until } from '../support/until.js';

const metrics = '/api/v1/monitoring/metrics';
const response = 'Herons wade. They eat fish.';

type MetricObjects = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

describe('the pipeline with a language model', () => {
  let stub: StubLanguageModel;
  let pipeline: Pipeline;
  let embeds: boolean;

  before(async () => {
    stub = await startStubLanguageModel();
    const folder = await modelFolderIfThere();
    embeds = folder !== undefined;
    if (!embeds) console.log('      without an embedding model: there is none here');
    pipeline = await startPipeline('language-model', {
      processors: {
        LLM_BASE_URL: stub.baseUrl,
        LLM_MODEL: 'stub-1',
        LLM_RETRY_BASE_MS: '10',
        LLM_ATTEMPT_TIMEOUT_MS: '3000',
        LLM_BREAKER_OPEN_MS: '500',
        SCORING_THREADS: '1',
        ...(folder === undefined ? {} : { EMBEDDING_MODEL_DIR: folder }),
      },
    });
  });
  beforeEach(() => {
    stub.reset();
    stub.behave(sound(response));
  });
  after(async () => {
    await pipeline.stop();
    await stub.stop();
  });

  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(`${pipeline.edge.url}${metrics}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${pipeline.key}`, 'content-type': 'application/json' },
    });
  const statusOf = async (id: string): Promise<{ status: string; result?: { metrics: MetricObjects } }> => {
    const answer = await fetch(`${pipeline.edge.url}${metrics}/task/${id}/status`, {
      headers: { authorization: `Bearer ${pipeline.key}` },
    });
    return (await answer.json()) as Awaited<ReturnType<typeof statusOf>>;
  };
  const submit = async (path: string, body: unknown): Promise<string> =>
    ((await (await post(`${path}/task`, body)).json()) as { task_id: string }).task_id;
  async function resultOf(id: string): Promise<MetricObjects> {
    let found: Awaited<ReturnType<typeof statusOf>> | undefined;
    await until(`${id} is done`, async () => {
      found = await statusOf(id);
      assert.notEqual(found.status, 'failed', JSON.stringify(found));
      return found.status === 'processed';
    });
    return found?.result?.metrics ?? {};
  }

  function requireSound(found: MetricObjects): void {
    const { hallucination } = found;
    assert.deepEqual(hallucination?.['samples'], [response, response, response]);
    assert.equal(hallucination['llm_score'], 0);
    assert.equal(hallucination['final_score'], embeds ? 0 : null);
    assert.equal(typeof hallucination['total_tokens'], 'number');
  }

  it('computes every metric in the combined call, and has them in ClickHouse', async () => {
    const prompt = `Tell me of herons, ${randomUUID()}.`;
    const answer = await post('', { prompt, response });
    const body = (await answer.json()) as { id: string; metrics: MetricObjects };
    assert.equal(answer.status, 200, JSON.stringify(body));
    assert.deepEqual(Object.keys(body.metrics), metricKeys);
    requireSound(body.metrics);
    const injection = body.metrics['detected_prompt_injection'];
    assert.equal(injection?.['score'], 0);
    assert.match(String(injection['response']), /^[A-Z2-9]{8}$/);
    assert.equal(body.metrics['text_metrics']?.['prompt.injection.proactive_detection'], 0);
    assert.equal(
      body.metrics['theme_similarity']?.['response.hallucination'],
      body.metrics['hallucination']?.['final_score'],
    );
    if (embeds)
      for (const [metric, values] of Object.entries(body.metrics))
        assert.equal(values['unavailable'], undefined, metric);
    let row: { metrics: string } | undefined;
    await until('the row is there', async () => {
      [row] = await pipeline.query<{ metrics: string }>(
        `SELECT metrics FROM telltale.scoring_results WHERE task_id = '${body.id}'`,
      );
      return row !== undefined;
    });
    assert.deepEqual(JSON.parse(row?.metrics ?? ''), body.metrics);
  });

  it('gives tasks the same results despite 429s, 500s, garbage and cut connections', async () => {
    const well = sound(response);
    const bad = [status(429, { 'retry-after': '0' }), status(500), garbage('{"choices":[]}'), cut()];
    const asked = new Map<string, number>();
    stub.behave((request) => {
      const before = asked.get(request.question) ?? 0;
      asked.set(request.question, before + 1);
      // Each question first gets two different failures, then its answer.
      return before < 2 ? (bad[(before + request.question.length) % bad.length] ?? cut()) : well(request);
    });
    const ids = await Promise.all(
      Array.from({ length: 4 }, () =>
        submit('/hallucination', { prompt: `Herons, ${randomUUID()}`, response }),
      ),
    );
    if (embeds) for (const id of ids) requireSound(await resultOf(id));
    assert.ok(stub.requests.length >= 4 * 9);
  });

  it('delays no other metric while the language model hangs, and recovers by itself afterwards', async () => {
    stub.behave(hang());
    const waiting = await Promise.all(
      Array.from({ length: 6 }, () =>
        submit('/detected-prompt-injection', { prompt: `Herons, ${randomUUID()}` }),
      ),
    );
    await until('the language model is asked', () => stub.requests.length > 0);
    assert.equal((await post('/text-sentiment', { prompt: 'What a splendid harbour!' })).status, 200);
    await resultOf(await submit('/text-sentiment', { prompt: 'What a splendid harbour!' }));
    for (const id of waiting) assert.match((await statusOf(id)).status, /queued|processing/);
    stub.behave(sound(response));
    for (const id of waiting) assert.equal((await resultOf(id))['detected_prompt_injection']?.['score'], 0);
  });
});
