import assert from 'node:assert/strict';
import { readConfig } from '../../../../runtime/config.js';
import { TelltaleError, type ErrorCode } from '../../../../runtime/errors.js';
import { languageModelConfig } from '../../../../runtime/language-model/config.js';
import { createLanguageModel } from '../../../../runtime/language-model/create-language-model.js';
import type { Completion, LanguageModel } from '../../../../runtime/language-model/language-model.js';
import { silentLogger } from '../../../../runtime/logging.js';
import { createMetrics, type Metrics } from '../../../../runtime/metrics.js';
import { endsWithin } from '../../../support/figures.js';
import {
  cut,
  garbage,
  hang,
  inTurn,
  reply,
  startStubLanguageModel,
  status,
  type StubLanguageModel,
} from '../../../support/stub-language-model.js';
import { until } from '../../../support/until.js';

const key = 'sk-very-secret-0123456789';
const hello = [{ role: 'user', content: 'hello' }] as const;

describe('the language model', () => {
  let stub: StubLanguageModel;
  let metrics: Metrics;

  before(async () => {
    stub = await startStubLanguageModel();
  });
  beforeEach(() => {
    stub.reset();
    metrics = createMetrics();
  });
  after(() => stub.stop());

  function modelWith(settings: Readonly<Record<string, string>> = {}): LanguageModel {
    const config = readConfig(languageModelConfig, {
      LLM_BASE_URL: stub.baseUrl,
      LLM_MODEL: 'stub-1',
      LLM_API_KEY: key,
      LLM_RETRY_BASE_MS: '5',
      LLM_RETRY_CAP_MS: '20',
      ...settings,
    });
    const model = createLanguageModel(config, { logger: silentLogger, metrics, lane: 'task' });
    assert.ok(model);
    return model;
  }

  const ask = (model: LanguageModel, withinMs = 120_000, signal?: AbortSignal): Promise<Completion> =>
    model.complete(hello, {
      temperature: 0,
      maxTokens: 16,
      deadlineMs: Date.now() + withinMs,
      ...(signal === undefined ? {} : { signal }),
    });

  async function rejection(asked: Promise<unknown>): Promise<TelltaleError> {
    const error: unknown = await asked.then(
      () => assert.fail('it answered'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof TelltaleError, String(error));
    assert.ok(!error.message.includes(key), 'the key is in the message');
    return error;
  }
  const failsWith = async (asked: Promise<unknown>, code: ErrorCode, words: RegExp): Promise<void> => {
    const error = await rejection(asked);
    assert.equal(error.code, code);
    assert.match(error.message, words);
  };

  async function sampleOf(name: string, labels: Readonly<Record<string, string>>): Promise<number> {
    const metric = await metrics.registry.getSingleMetric(name)?.get();
    const found = metric?.values.find(({ labels: at }) =>
      Object.entries(labels).every(([label, value]) => at[label] === value),
    );
    return found?.value ?? 0;
  }

  describe('when all is well', () => {
    it('sends the protocol, and reads text and tokens', async () => {
      stub.behave(reply('Hello yourself.', { totalTokens: 42 }));
      assert.deepEqual(await ask(modelWith()), {
        text: 'Hello yourself.',
        truncated: false,
        totalTokens: 42,
      });
      const [request] = stub.requests;
      assert.equal(request?.path, '/v1/chat/completions');
      assert.equal(request.headers.authorization, `Bearer ${key}`);
      assert.deepEqual(request.body, { model: 'stub-1', messages: hello, temperature: 0, max_tokens: 16 });
    });

    it('sends no Authorization header without a key', async () => {
      await ask(modelWith({ LLM_API_KEY: '' }));
      assert.equal(stub.requests[0]?.headers.authorization, undefined);
    });

    it('speaks the dialect of reasoning models', async () => {
      await ask(modelWith({ LLM_DIALECT: 'reasoning' }));
      assert.deepEqual(stub.requests[0]?.body, {
        model: 'stub-1',
        messages: hello,
        max_completion_tokens: 16 + 8_192,
      });
    });

    it('sends no lone surrogates', async () => {
      await modelWith().complete([{ role: 'user', content: 'a\uD800b \u{1F600}' }], {
        temperature: 0,
        maxTokens: 16,
        deadlineMs: Date.now() + 120_000,
      });
      assert.equal(stub.requests[0]?.question, 'a\uFFFDb \u{1F600}');
    });

    it('understands an answer with the wrong content type', async () => {
      stub.behave(reply('fine', { contentType: 'text/plain' }));
      assert.equal((await ask(modelWith())).text, 'fine');
    });

    it('says null if no usage is reported, and marks a reply that was cut short', async () => {
      stub.behave(reply('It goes on and', { totalTokens: null, finish: 'length' }));
      assert.deepEqual(await ask(modelWith()), {
        text: 'It goes on and',
        truncated: true,
        totalTokens: null,
      });
    });

    it('returns the text of a refusal as the reply, and an empty reply as empty', async () => {
      stub.behave(inTurn(reply(null, { refusal: 'I would rather not.' }), reply('')));
      const model = modelWith();
      assert.equal((await ask(model)).text, 'I would rather not.');
      assert.equal((await ask(model)).text, '');
    });

    it('counts calls, attempts and tokens', async () => {
      stub.behave(inTurn(status(500), reply('ok', { totalTokens: 12 })));
      await ask(modelWith());
      assert.equal(await sampleOf('telltale_llm_calls_total', { outcome: 'answered' }), 1);
      assert.equal(await sampleOf('telltale_llm_attempts_total', { outcome: 'server-error' }), 1);
      assert.equal(await sampleOf('telltale_llm_attempts_total', { outcome: 'answered' }), 1);
      assert.equal(await sampleOf('telltale_llm_tokens_total', { kind: 'prompt' }), 11);
      assert.equal(await sampleOf('telltale_llm_tokens_total', { kind: 'completion' }), 1);
    });
  });

  describe('when an attempt fails', () => {
    const passing = {
      'status 429': status(429),
      'status 500': status(500),
      'status 503': status(503),
      'status 408': status(408),
      'a connection that is cut': cut(),
      'a connection that is cut amid the answer': cut('in-body'),
      'an answer that is not JSON': garbage('<html>Bad gateway</html>', 'text/html'),
      'broken JSON': garbage('{"choices":['),
      'an empty body': garbage(''),
      'JSON that is no completion': garbage('{"hello":"world"}'),
      'a completion without choices': garbage('{"choices":[]}'),
    };
    for (const [what, behaviour] of Object.entries(passing)) {
      it(`tries again after ${what}`, async () => {
        stub.behave(inTurn(behaviour, behaviour, reply('at last')));
        assert.equal((await ask(modelWith())).text, 'at last');
        assert.equal(stub.requests.length, 3);
      });
    }

    for (const where of ['before-headers', 'in-body'] as const) {
      it(`gives up an attempt that hangs (${where}), and tries again`, async () => {
        stub.behave(inTurn(hang(where), reply('at last')));
        assert.equal((await ask(modelWith({ LLM_ATTEMPT_TIMEOUT_MS: '100' }))).text, 'at last');
      });
    }

    for (const code of [400, 401, 403, 404, 422]) {
      it(`does not try again after ${code}`, async () => {
        stub.behave(status(code, {}, `no such thing, ${key}`));
        await failsWith(ask(modelWith()), 'LLM_REFUSED', new RegExp(`status ${code}`));
        assert.equal(stub.requests.length, 1);
      });
    }

    it('says what the endpoint said, without the key', async () => {
      stub.behave(status(404, {}, `model stub-1 is not there for ${key}`));
      const { message } = await rejection(ask(modelWith()));
      assert.match(message, /status 404: model stub-1 is not there for \[redacted\]/);
    });

    it('reports a reply that a filter emptied as refused, not as empty', async () => {
      stub.behave(reply(null, { finish: 'content_filter' }));
      await failsWith(ask(modelWith()), 'LLM_REFUSED', /content_filter/);
    });

    it('waits as long as Retry-After asks', async () => {
      stub.behave(inTurn(status(429, { 'retry-after': '0.3' }), reply('patience pays')));
      const begun = Date.now();
      assert.equal((await ask(modelWith())).text, 'patience pays');
      assert.ok(Date.now() - begun >= 295); // a timer can fire slightly early
    });

    it('waits until the date that Retry-After names', async () => {
      const at = Math.ceil(Date.now() / 1_000) * 1_000 + 1_000;
      stub.behave(inTurn(status(503, { 'retry-after': new Date(at).toUTCString() }), reply('patience pays')));
      await ask(modelWith());
      assert.ok(Date.now() >= at - 5);
    });

    it('ends at once, with the reason, when Retry-After goes beyond the deadline', async () => {
      stub.behave(status(429, { 'retry-after': '120' }));
      const asked = ask(modelWith(), 60_000);
      assert.ok(await endsWithin(30_000, asked));
      await failsWith(asked, 'LLM_NO_ANSWER', /status 429, asking to wait 120 s/);
    });
  });

  describe('the deadline', () => {
    const bad = {
      'fails for ever': status(500),
      hangs: hang(),
      'hangs amid the answer': hang('in-body'),
      'answers too late': reply('late', { afterMs: 3_000 }),
      'cuts every connection': cut(),
    };
    for (const [what, behaviour] of Object.entries(bad)) {
      it(`is kept when the endpoint ${what}`, async () => {
        stub.behave(behaviour);
        const asked = ask(modelWith({ LLM_BREAKER_FAILURES: '1000', LLM_ATTEMPTS: '1000' }), 300);
        assert.ok(await endsWithin(1_500, asked));
        await failsWith(asked, 'LLM_NO_ANSWER', /before the deadline/);
      });
    }

    it('is kept when nothing listens at all', async () => {
      const model = modelWith({ LLM_BASE_URL: 'http://127.0.0.1:9/v1' });
      await failsWith(ask(model, 200), 'LLM_NO_ANSWER', /connection failed/);
    });

    it('is not waited for once the configured number of attempts has failed', async () => {
      stub.behave(status(500));
      await failsWith(
        ask(modelWith({ LLM_ATTEMPTS: '4' })),
        'LLM_NO_ANSWER',
        /in 4 attempts \(last: status 500\)/,
      );
      assert.equal(stub.requests.length, 4);
    });

    it('counts while a call waits for its turn', async () => {
      stub.behave(hang());
      const model = modelWith({ LLM_CONCURRENCY: '1' });
      const leaving = new AbortController();
      const first = rejection(ask(model, 120_000, leaving.signal));
      await until('the first call is under way', () => stub.requests.length === 1);
      await failsWith(ask(model, 100), 'LLM_NO_ANSWER', /not its turn yet/);
      leaving.abort();
      await first;
      assert.equal(stub.requests.length, 1);
    });

    it('prevents any request once it has passed', async () => {
      await failsWith(ask(modelWith(), -1), 'LLM_NO_ANSWER', /deadline/);
      assert.equal(stub.requests.length, 0);
    });
  });

  describe('a caller who leaves', () => {
    it('is released at once, and does not count as a failure of the endpoint', async () => {
      stub.behave(hang());
      const model = modelWith({ LLM_BREAKER_FAILURES: '1' });
      const leaving = new AbortController();
      const asked = ask(model, 60_000, leaving.signal);
      setTimeout(() => {
        leaving.abort();
      }, 50);
      await failsWith(asked, 'LLM_ABANDONED', /abandoned/);
      stub.behave(reply('still well'));
      assert.equal((await ask(model)).text, 'still well');
    });

    it('causes no request if it had already left', async () => {
      await failsWith(ask(modelWith(), 1_000, AbortSignal.abort()), 'LLM_ABANDONED', /abandoned/);
      assert.equal(stub.requests.length, 0);
    });
  });

  describe('many callers', () => {
    it('are served a few at a time', async () => {
      stub.behave(reply('ok', { afterMs: 50 }));
      const model = modelWith({ LLM_CONCURRENCY: '3' });
      await Promise.all(Array.from({ length: 15 }, () => ask(model)));
      assert.equal(stub.mostAtOnce, 3);
      assert.equal(stub.requests.length, 15);
    });

    it('are turned away with a remedy when too many wait', async () => {
      stub.behave(reply('ok', { afterMs: 50 }));
      const model = modelWith({ LLM_CONCURRENCY: '1', LLM_QUEUE: '1' });
      const served = [ask(model), ask(model)];
      await failsWith(ask(model), 'LLM_BUSY', /LLM_CONCURRENCY/);
      await Promise.all(served);
    });
  });

  describe('the circuit breaker', () => {
    const settings = { LLM_BREAKER_FAILURES: '3', LLM_BREAKER_OPEN_MS: '300', LLM_CONCURRENCY: '2' };

    it('keeps calls away from an endpoint that keeps failing, saying why', async () => {
      stub.behave(status(500));
      const model = modelWith(settings);
      await failsWith(ask(model), 'LLM_CIRCUIT_OPEN', /status 500/);
      assert.equal(stub.requests.length, 3);
      await failsWith(ask(model), 'LLM_CIRCUIT_OPEN', /status 500.*LLM_BASE_URL/);
      assert.equal(stub.requests.length, 3);
      assert.equal(await sampleOf('telltale_llm_circuit_open', { lane: 'task' }), 1);
    });

    it('lets a waiting retry through as the trial, and closes when that is answered', async () => {
      stub.behave(inTurn(status(500), status(500), status(500), reply('recovered')));
      const model = modelWith({ ...settings, LLM_RETRY_CAP_MS: '500' });
      assert.equal((await ask(model)).text, 'recovered');
      assert.equal((await ask(model)).text, 'recovered');
      assert.equal(await sampleOf('telltale_llm_circuit_open', { lane: 'task' }), 0);
    });

    it('is not tripped by 429: such an endpoint is alive', async () => {
      stub.behave(inTurn(status(429), status(429), status(429), status(429), reply('ok')));
      assert.equal((await ask(modelWith(settings))).text, 'ok');
    });
  });

  describe('configuration', () => {
    const parts = { logger: silentLogger, metrics: createMetrics(), lane: 'task' };

    it('has no language model by default', () => {
      assert.equal(createLanguageModel(readConfig(languageModelConfig, {}), parts), undefined);
    });

    it('refuses an address without a model, naming the variable', () => {
      const config = readConfig(languageModelConfig, { LLM_BASE_URL: 'http://127.0.0.1:1/v1' });
      assert.throws(() => createLanguageModel(config, parts), /LLM_MODEL: must be set/);
    });

    it('refuses an invalid address, naming the variable', () => {
      assert.throws(() => readConfig(languageModelConfig, { LLM_BASE_URL: 'localhost' }), /LLM_BASE_URL/);
    });
  });
});
