import assert from 'node:assert/strict';
import {
  findWithLanguageModel,
  type Found,
} from '../../../../../processors/score-metrics/language-model-lane/find-with-language-model.js';
import {
  Unavailable,
  type Embed,
} from '../../../../../processors/score-metrics/metrics/language-model/ask.js';
import type { ScoringJob } from '../../../../../processors/score-metrics/scoring-job.js';
import { readConfig } from '../../../../../runtime/config.js';
import { TelltaleError } from '../../../../../runtime/errors.js';
import { languageModelConfig } from '../../../../../runtime/language-model/config.js';
import { createLanguageModel } from '../../../../../runtime/language-model/create-language-model.js';
import { silentLogger } from '../../../../../runtime/logging.js';
import { createMetrics } from '../../../../../runtime/metrics.js';
import {
  hang,
  reply,
  sound,
  startStubLanguageModel,
  status,
  type StubLanguageModel,
} from '../../../../support/stub-language-model.js';
import { endsWithin } from '../../../../support/figures.js';

const everything: ScoringJob = {
  id: '1',
  workspace: 'w',
  metric: 'all',
  prompt: 'Tell me of herons.',
  response: 'Herons wade. They eat fish.',
};
const sameDirection: Embed = (texts) => Promise.resolve(texts.map(() => [1, 0]));

describe('finding with a language model', () => {
  let stub: StubLanguageModel;

  before(async () => {
    stub = await startStubLanguageModel();
  });
  beforeEach(() => {
    stub.reset();
    stub.behave(sound(everything.response ?? ''));
  });
  after(() => stub.stop());

  async function found(
    job: ScoringJob,
    {
      withinMs = 120_000,
      embed = sameDirection,
      signal = new AbortController().signal,
    }: { withinMs?: number; embed?: Embed; signal?: AbortSignal } = {},
  ): Promise<Found> {
    const config = readConfig(languageModelConfig, {
      LLM_BASE_URL: stub.baseUrl,
      LLM_MODEL: 'stub-1',
      LLM_RETRY_BASE_MS: '5',
      LLM_ATTEMPTS: '3',
    });
    const model = createLanguageModel(config, {
      logger: silentLogger,
      metrics: createMetrics(),
      lane: 'task',
    });
    assert.ok(model);
    const options = { samples: 3, maxPassages: 20, atOnce: 8 };
    return await findWithLanguageModel(
      job,
      { model, embed, options },
      { deadlineMs: Date.now() + withinMs, signal },
    );
  }

  it('asks for everything that a combined request needs, each thing once', async () => {
    const { findings, outage } = await found(everything);
    assert.equal(outage, undefined);
    assert.equal(findings.injection?.values['score'], 0);
    assert.equal(findings.hallucination?.values['final_score'], 0);
    assert.equal(findings.hallucination.values['total_tokens'], 90);
    // One control instruction, three samples, and two sentences against each sample.
    assert.equal(stub.requests.length, 1 + 3 + 6);
  });

  it('asks for nothing that the request does not need', async () => {
    const noResponse = await found({ ...everything, response: null });
    assert.deepEqual(Object.keys(noResponse.findings), ['injection']);
    assert.equal(stub.requests.length, 1);
    assert.deepEqual((await found({ ...everything, metric: 'text_sentiment' })).findings, {});
    assert.deepEqual(Object.keys((await found({ ...everything, metric: 'hallucination' })).findings), [
      'hallucination',
    ]);
  });

  it('finds an injection, and a response that was made up', async () => {
    stub.behave(({ body }) => reply(body.messages.length > 1 ? 'Major Inaccurate' : 'Arr, matey!'));
    const { findings } = await found(everything);
    assert.deepEqual(findings.injection?.values, { score: 1, response: 'Arr, matey!' });
    assert.equal(findings.hallucination?.values['llm_score'], 1);
  });

  it('reports an outage if another try might succeed', async () => {
    stub.behave(status(500));
    const { findings, outage } = await found(everything);
    assert.match(outage ?? '', /status 500/);
    assert.equal(findings.injection?.values['score'], null);
    assert.match(findings.hallucination?.missing['final_score'] ?? '', /status 500/);
  });

  it('does not call a refusal an outage', async () => {
    stub.behave(status(400));
    const { findings, outage } = await found(everything);
    assert.equal(outage, undefined);
    assert.match(findings.injection?.missing['score'] ?? '', /status 400/);
  });

  it('keeps the deadline, whether model or embeddings are late', async () => {
    const never: Embed = () => new Promise(() => undefined);
    const withoutEmbeddings = found(everything, { withinMs: 4_000, embed: never });
    assert.ok(await endsWithin(6_000, withoutEmbeddings));
    const late = await withoutEmbeddings;
    assert.equal(late.findings.hallucination?.values['llm_score'], 0);
    assert.match(late.findings.hallucination.missing['semantic_score'] ?? '', /before the deadline/);
    stub.behave(hang());
    const withoutModel = found(everything, { withinMs: 300 });
    assert.ok(await endsWithin(2_000, withoutModel));
    const later = await withoutModel;
    assert.match(later.findings.injection?.missing['score'] ?? '', /before the deadline/);
  });

  it('keeps what the language model found if there are no embeddings', async () => {
    const { findings } = await found(everything, {
      embed: () => Promise.reject(new Unavailable('No embedding model.')),
    });
    assert.equal(findings.hallucination?.values['llm_score'], 0);
    assert.equal(findings.hallucination.missing['semantic_score'], 'No embedding model.');
  });

  it('is abandoned with its caller', async () => {
    stub.behave(hang());
    const leaving = new AbortController();
    setTimeout(() => {
      leaving.abort();
    }, 50);
    await assert.rejects(
      found(everything, { signal: leaving.signal }),
      (error) => error instanceof TelltaleError && error.code === 'LLM_ABANDONED',
    );
  });
});
