import assert from 'node:assert/strict';
import fc from 'fast-check';
import { linearModel } from '../../../../processors/score-metrics/metrics/linear/linear-model.js';
import type { LanguageModelFindings } from '../../../../processors/score-metrics/metrics/language-model/finding.js';
import { metrics } from '../../../../processors/score-metrics/metrics/registry.js';
import type {
  SemanticModels,
  Semantics,
} from '../../../../processors/score-metrics/metrics/semantics/semantics.js';
import { readModel } from '../../../../processors/score-metrics/models/read-model.js';
import { jobScorer } from '../../../../processors/score-metrics/score-job.js';
import { normalise } from '../../../../runtime/embedding/embedder.js';
import { metricKeys, type RequestedMetric } from '../../../../schemas/metrics.js';
import type { MetricObject } from '../../../../schemas/results.js';
import { runs } from '../../../support/properties.js';

const score = jobScorer(metrics, () => 0);
const size = 384;

/** A vector of length 1, derived from a number, that stands in for a model's. */
function vectorOf(seed: number): Float32Array {
  return normalise(Float32Array.from({ length: size }, (_, at) => Math.sin(seed * (at + 1) + at)));
}

const models: SemanticModels = {
  themes: [
    { name: 'jailbreak', of: 'prompt', examples: [vectorOf(1), vectorOf(2)] },
    { name: 'refusal', of: 'response', examples: [vectorOf(3)] },
  ],
  topics: [
    { name: 'law', examples: [vectorOf(4)] },
    { name: 'support', examples: [vectorOf(5)] },
  ],
  toxicity: linearModel(readModel('toxicity')),
  injection: linearModel(readModel('injection')),
};
const findings: LanguageModelFindings = {
  injection: { values: { score: 1, response: 'Arr.' }, missing: {} },
  hallucination: {
    values: {
      samples: ['a', 'b', 'c'],
      response: 'r',
      llm_score: 0.5,
      semantic_score: 0.25,
      final_score: 0.375,
      total_tokens: 90,
    },
    missing: {},
  },
};

const repeated = (text: string): string => text.repeat(Math.ceil(100_000 / text.length)).slice(0, 100_000);
const hard = [
  ...[
    '   ',
    '\n\t\u00a0',
    'x',
    '7',
    '😀',
    '😀🏽‍♀️😀',
    'שלום עולם',
    'مرحبا بالعالم',
    '漢字かな交じり文。',
    '\ud800',
  ],
  ...[
    'a\udc00b',
    '…!?',
    '٣٤٥',
    'é\u0301',
    '\u0000\u0007',
    '\u202egnol',
    '\ufeff',
    '1e309',
    '__proto__',
    '---',
  ],
];
const long = ['x', 'word ', '😀', '1', 'a@b.co ', '. ', '\ud800 '].map(repeated);

const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme', minLength: 100, maxLength: 3_000 }),
  fc.constantFrom(...hard),
);
const semantics: fc.Arbitrary<Semantics> = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 3 }).map((seeds) => ({
    windows: seeds.map(vectorOf),
    opening: vectorOf(seeds[0] ?? 1),
    models,
  })),
  fc.constant({ windows: [new Float32Array(size)], opening: null, models }),
  fc.constant({ reason: 'No vectors.' }),
);

interface Case {
  readonly prompt: string;
  readonly response: string | null;
  readonly ofPrompt: Semantics;
  readonly ofResponse: Semantics;
  readonly found: boolean;
}

function scored(metric: RequestedMetric, { prompt, response, ofPrompt, ofResponse, found }: Case) {
  const job = { id: '1', workspace: 'w', metric, prompt, response, ...(found ? { findings } : {}) };
  return score(job, { prompt: ofPrompt, response: ofResponse });
}

/** Keys for which null is a valid answer. */
const mayBeNull = /\.has_patterns$/;
const inUnit = /\.toxicity$|classifier$|final_score$|\.hallucination$|^score$|proactive_detection$/;
const inCircle = /_similarity$|relevance_to_prompt$|sentiment_lexicon$/;

function requireSound(metric: string, { unavailable, ...values }: MetricObject): void {
  for (const [key, value] of Object.entries(values)) {
    const where = `${metric} ${key}: ${String(value)}`;
    if (value === null) assert.ok(mayBeNull.test(key) || String(unavailable).length > 0, where);
    if (typeof value !== 'number') continue;
    assert.ok(Number.isFinite(value), where);
    if (inUnit.test(key)) assert.ok(value >= 0 && value <= 1, where);
    if (inCircle.test(key)) assert.ok(value >= -1 && value <= 1, where);
  }
}

function requireAllSound(given: Case): void {
  const all = scored('all', given);
  assert.ok(all.ok);
  assert.deepEqual(Object.keys(all.metrics), metricKeys);
  for (const key of metricKeys) {
    const combined: MetricObject | undefined = all.metrics[key];
    assert.ok(combined);
    requireSound(key, combined);
    const single = scored(key, given);
    if (!single.ok) {
      assert.ok(single.reason.length > 0);
      continue;
    }
    const { unavailable: reason, ...values } = single.metrics[key] ?? {};
    for (const [name, value] of Object.entries(values))
      assert.deepEqual(combined[name], value, `${key} ${name}`);
    if (reason === undefined && key !== 'detected_pii' && key !== 'theme_similarity')
      assert.equal(combined.unavailable, undefined);
  }
}

describe('every text', () => {
  it('has finite values in their ranges, or null with a reason, the same alone as in the combined call', () => {
    const cases = fc.record({
      prompt: texts,
      response: fc.option(texts),
      ofPrompt: semantics,
      ofResponse: semantics,
      found: fc.boolean(),
    });
    fc.assert(fc.property(cases, requireAllSound), { numRuns: runs(50) });
  });

  for (const text of long)
    it(`does so with 100,000 characters of ${JSON.stringify(text.slice(0, 7).toWellFormed())}`, () => {
      const vectors: Semantics = { windows: [1, 2, 3, 4].map(vectorOf), opening: vectorOf(5), models };
      const given = { prompt: text, response: text, ofPrompt: vectors, ofResponse: vectors, found: true };
      const all = scored('all', given);
      assert.ok(all.ok);
      for (const key of metricKeys) requireSound(key, all.metrics[key] ?? { created_at: '' });
    });
});
