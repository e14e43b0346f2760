import assert from 'node:assert/strict';
import fc from 'fast-check';
import { noEmbeddings, noResponse } from '../../../../../../processors/score-metrics/metrics/reasons.js';
import {
  cosine,
  meanDirection,
} from '../../../../../../processors/score-metrics/metrics/semantics/cosine.js';
import {
  closestTopicOf,
  relevance,
  themesOf,
  toxicityOf,
} from '../../../../../../processors/score-metrics/metrics/semantics/measures.js';
import type {
  SemanticModels,
  Semantics,
} from '../../../../../../processors/score-metrics/metrics/semantics/semantics.js';
import { closestTopic } from '../../../../../../processors/score-metrics/metrics/semantics/topics.js';
import { standardSettings } from '../../../../../../processors/score-metrics/metrics/settings.js';
import { AnalysedText } from '../../../../../../processors/score-metrics/metrics/text/analysed-text.js';

/** A unit vector in the plane. */
const at = (degrees: number): Float32Array =>
  Float32Array.from([Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]);

const models: SemanticModels = {
  themes: [
    { name: 'jailbreak', of: 'prompt', examples: [at(0), at(90)] },
    { name: 'refusal', of: 'response', opening: true, examples: [at(180)] },
    { name: 'greeting', of: 'both', examples: [at(45)] },
  ],
  topics: [
    { name: 'law', examples: [at(0), at(5)] },
    { name: 'support', examples: [at(90)] },
  ],
  toxicity: () => 0.25,
  injection: { reason: 'Not trained.' },
};
const text = (...degrees: number[]): AnalysedText =>
  new AnalysedText('text', standardSettings, { windows: degrees.map(at), opening: null, models });
const opening = (first: number, ...degrees: number[]): AnalysedText =>
  new AnalysedText('text', standardSettings, { windows: degrees.map(at), opening: at(first), models });
const bare = (reason?: string): AnalysedText =>
  new AnalysedText(
    'text',
    standardSettings,
    reason === undefined ? undefined : ({ reason } satisfies Semantics),
  );

describe('measures of vectors', () => {
  it('tell how near a response is to its prompt, over all windows of both', () => {
    assert.deepEqual(relevance(text(0), text(60)).values, { 'response.relevance_to_prompt': 0.5 });
    assert.deepEqual(relevance(text(0, 60), text(30)).values, { 'response.relevance_to_prompt': 1 });
  });

  it('tell how near the nearest window is to an example of each theme of its side', () => {
    assert.deepEqual(themesOf('prompt', text(200, 120)).values, {
      'prompt.jailbreak_similarity': 0.866025,
      'prompt.greeting_similarity': 0.258819,
    });
    assert.deepEqual(Object.keys(themesOf('response', text(0)).values), [
      'response.refusal_similarity',
      'response.greeting_similarity',
    ]);
  });

  it('look at the opening of a text if the theme says so, and still at all windows', () => {
    assert.deepEqual(themesOf('response', opening(180, 90)).values, {
      'response.refusal_similarity': 1,
      'response.greeting_similarity': 0.707107,
    });
    assert.equal(themesOf('response', opening(0, 0, 180)).values['response.refusal_similarity'], 1);
    assert.equal(themesOf('prompt', opening(0, 90, 225)).values['prompt.greeting_similarity'], 0.707107);
  });

  it('name the closest topic', () => {
    assert.deepEqual(closestTopicOf('response', text(80)).values, { 'response.closest_topic': 'support' });
    assert.equal(closestTopic([at(80)], []), null);
  });

  it('ask a trained model', () => {
    assert.deepEqual(toxicityOf('prompt', text(0)).values, { 'prompt.toxicity': 0.25 });
  });

  it('say why there is nothing to measure', () => {
    const scores = [
      [relevance(text(0), null), noResponse],
      [relevance(bare(), text(0)), noEmbeddings],
      [relevance(text(0), bare('Down.')), 'Down.'],
      [themesOf('response', null), noResponse],
      [themesOf('prompt', bare('Down.')), 'Down.'],
      [closestTopicOf('prompt', bare('Down.')), 'Down.'],
      [toxicityOf('response', null), noResponse],
    ] as const;
    for (const [{ values, missing }, reason] of scores) {
      const keys = Object.keys(values);
      assert.equal(keys.length, 1);
      assert.deepEqual(Object.values(values), [null]);
      assert.deepEqual(missing, { [keys[0] ?? '']: reason });
    }
  });

  it('keep a cosine inside -1..1, the same either way, and 1 with itself', () => {
    const vector = fc
      .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 })
      .filter((values) => Math.hypot(...values) > 1e-3)
      .map((values) => Float32Array.from(values, (value) => value / Math.hypot(...values)));
    fc.assert(
      fc.property(vector, vector, (left, right) => {
        const value = cosine(left, right);
        assert.ok(value >= -1 && value <= 1);
        assert.equal(cosine(right, left), value);
        assert.ok(Math.abs(cosine(left, left) - 1) < 1e-5);
        assert.ok(Math.abs(cosine(meanDirection([left, left]), left) - 1) < 1e-5);
      }),
    );
  });
});
