import assert from 'node:assert/strict';
import {
  Unavailable,
  type Ask,
  type Embed,
  type Message,
} from '../../../../../../processors/score-metrics/metrics/language-model/ask.js';
import {
  hallucinationCheck,
  type HallucinationOptions,
} from '../../../../../../processors/score-metrics/metrics/hallucination/hallucination-check.js';
import type { Finding } from '../../../../../../processors/score-metrics/metrics/language-model/finding.js';

const options: HallucinationOptions = { samples: 3, maxPassages: 20, atOnce: 4 };
const texts = { prompt: 'Tell me of herons.', response: 'Herons wade. They eat fish.' };

type Kind = 'sample' | 'verdict' | 'insistence';

interface Asked {
  readonly kind: Kind;
  readonly text: string;
  readonly temperature: number;
}

interface Script {
  /** The reply to the n-th sampling (from 0); by default the response itself. */
  sample?(index: number): string;
  /** The reply to a question, or to the insistence if the question is asked again. */
  verdict?(question: string, kind: Kind): string;
  tokens?: number | null;
}

function kindOf(messages: readonly Message[]): Kind {
  if (messages.length === 1) return 'sample';
  return messages.length === 2 ? 'verdict' : 'insistence';
}

/** A language model that follows a script and records its requests. */
function scripted(script: Script = {}): { readonly ask: Ask; readonly asked: Asked[] } {
  const asked: Asked[] = [];
  let sampled = 0;
  const ask: Ask = (messages, { temperature }) => {
    const kind = kindOf(messages);
    asked.push({ kind, text: messages[kind === 'sample' ? 0 : 1]?.content ?? '', temperature });
    const text =
      kind === 'sample'
        ? (script.sample?.(sampled++) ?? texts.response)
        : (script.verdict?.(messages[1]?.content ?? '', kind) ?? 'Accurate');
    return Promise.resolve({
      text,
      truncated: false,
      totalTokens: script.tokens === undefined ? 10 : script.tokens,
    });
  };
  return { ask, asked };
}

/** 1 for the response's own sentences, 0 for others. */
const embed: Embed = (all) =>
  Promise.resolve(all.map((text) => (texts.response.includes(text) ? [1, 0] : [0, 1])));
const noEmbed: Embed = () => Promise.reject(new Unavailable('no embedding model'));

const check = (
  ask: Ask,
  embedding: Embed = embed,
  given: Partial<HallucinationOptions> = {},
): Promise<Finding> => hallucinationCheck(texts, { ask, embed: embedding }, { ...options, ...given });

describe('the hallucination check', () => {
  it('finds a response consistent if every sample supports it', async () => {
    const { ask } = scripted();
    assert.deepEqual(await check(ask), {
      values: {
        samples: [texts.response, texts.response, texts.response],
        response: texts.response,
        llm_score: 0,
        semantic_score: 0,
        final_score: 0,
        // Three samples, and two sentences against each sample.
        total_tokens: 90,
      },
      missing: {},
    });
  });

  it('finds a response inconsistent if no sample supports it', async () => {
    const { ask } = scripted({ sample: () => 'No idea.', verdict: () => 'Major Inaccurate' });
    const { values } = await check(ask);
    assert.deepEqual([values['llm_score'], values['semantic_score'], values['final_score']], [1, 1, 1]);
  });

  it('takes the mean over samples and sentences, and of both scores', async () => {
    const { ask } = scripted({
      sample: (index) => (index === 0 ? 'Other.' : texts.response),
      verdict: (question) => (question.includes('Passage: Herons') ? 'Minor Inaccurate' : 'Accurate'),
    });
    const { values } = await check(ask);
    assert.equal(values['llm_score'], 0.25);
    assert.equal(values['semantic_score'], 0.333333);
    assert.equal(values['final_score'], 0.291667);
  });

  it('samples the prompt itself at temperature 1, and asks for verdicts at 0', async () => {
    const { ask, asked } = scripted();
    await check(ask);
    const samples = asked.filter(({ kind }) => kind === 'sample');
    assert.deepEqual(
      samples,
      Array.from({ length: 3 }, () => ({ kind: 'sample', text: texts.prompt, temperature: 1 })),
    );
    const verdicts = asked.filter(({ kind }) => kind === 'verdict');
    assert.equal(verdicts.length, 6);
    assert.ok(verdicts.every(({ temperature }) => temperature === 0));
  });

  it('asks for the samples at the same time', async () => {
    let open = 0;
    let most = 0;
    const { ask } = scripted();
    const slow: Ask = async (messages, given) => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return await ask(messages, given);
    };
    await check(slow, embed, { samples: 7, atOnce: 1 });
    assert.equal(most, 7);
  });

  it("asks once more if a verdict can't be read, and takes the second one", async () => {
    const { ask, asked } = scripted({
      verdict: (_, kind) => (kind === 'verdict' ? 'Hard to say.' : 'Minor Inaccurate'),
    });
    const { values } = await check(ask);
    assert.equal(values['llm_score'], 0.5);
    assert.equal(values['total_tokens'], 150);
    assert.equal(asked.filter(({ kind }) => kind === 'insistence').length, 6);
  });

  it("has no LLM score, rather than 0, if the second verdict can't be read either", async () => {
    const { ask } = scripted({ verdict: () => 'Hard to say.' });
    const { values, missing } = await check(ask);
    assert.deepEqual([values['llm_score'], values['final_score']], [null, null]);
    assert.equal(values['semantic_score'], 0);
    assert.match(missing['llm_score'] ?? '', /asked twice/);
    assert.equal(missing['final_score'], missing['llm_score']);
    assert.equal(missing['semantic_score'], undefined);
  });

  it("asks nothing more once a verdict can't be obtained", async () => {
    const { ask, asked } = scripted({ verdict: () => '?' });
    await check(ask, embed, { atOnce: 1 });
    assert.deepEqual(
      asked.map(({ kind }) => kind),
      ['sample', 'sample', 'sample', 'verdict', 'insistence'],
    );
  });

  it('has only the LLM score without an embedding model', async () => {
    const { values, missing } = await check(scripted().ask, noEmbed);
    assert.deepEqual([values['llm_score'], values['semantic_score'], values['final_score']], [0, null, null]);
    assert.deepEqual(missing, { semantic_score: 'no embedding model', final_score: 'no embedding model' });
  });

  it("has no score if one sample can't be obtained, and says what was spent", async () => {
    const { ask } = scripted();
    let calls = 0;
    const { values, missing } = await check((messages, given) =>
      ++calls === 2 ? Promise.reject(new Unavailable('status 500')) : ask(messages, given),
    );
    assert.deepEqual(values, {
      samples: null,
      response: texts.response,
      llm_score: null,
      semantic_score: null,
      final_score: null,
      total_tokens: 20,
    });
    assert.equal(missing['final_score'], 'status 500');
  });

  it('has no score if a sample is empty, or has only thoughts', async () => {
    for (const sample of ['', '  \n', '<think>Herons']) {
      const { values, missing } = await check(scripted({ sample: () => sample }).ask);
      assert.equal(values['final_score'], null);
      assert.match(missing['samples'] ?? '', /is empty/);
    }
  });

  it('shows samples without their thoughts', async () => {
    const { ask } = scripted({ sample: () => '<think>Birds?</think>\nHerons wade.' });
    assert.deepEqual((await check(ask)).values['samples'], ['Herons wade.', 'Herons wade.', 'Herons wade.']);
  });

  it('has no token count, rather than 0, if none is reported', async () => {
    const { values, missing } = await check(scripted({ tokens: null }).ask);
    assert.equal(values['total_tokens'], null);
    assert.match(missing['total_tokens'] ?? '', /no token usage/);
    assert.equal(values['final_score'], 0);
  });

  it('asks nothing about a blank response', async () => {
    const { ask, asked } = scripted();
    const found = await hallucinationCheck({ prompt: 'x', response: ' \n ' }, { ask, embed }, options);
    assert.equal(found.values['final_score'], null);
    assert.match(found.missing['final_score'] ?? '', /blank/);
    assert.equal(asked.length, 0);
  });

  it('asks a bounded number of questions about a response of any length', async () => {
    const { ask, asked } = scripted({ sample: () => 'Herons wade.' });
    const everyWord: Embed = (all) => Promise.resolve(all.map(() => [1]));
    const response = 'Herons wade. '.repeat(7_000);
    const { values } = await hallucinationCheck(
      { prompt: 'x', response },
      { ask, embed: everyWord },
      options,
    );
    assert.equal(values['llm_score'], 0);
    assert.equal(asked.length, 3 + 20 * 3);
  });

  it('keeps the final score in 0..1 if vectors point in opposite directions', async () => {
    const opposite: Embed = (all) =>
      Promise.resolve(all.map((text) => (texts.response.includes(text) ? [1] : [-1])));
    const { ask } = scripted({ sample: () => 'No.', verdict: () => 'Major Inaccurate' });
    assert.equal((await check(ask, opposite)).values['final_score'], 1);
  });

  it('does not hide a mistake in the program', async () => {
    await assert.rejects(
      check(() => Promise.reject(new TypeError('oops'))),
      TypeError,
    );
    await assert.rejects(
      check(scripted().ask, () => Promise.reject(new TypeError('oops'))),
      TypeError,
    );
  });
});
