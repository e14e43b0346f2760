import assert from 'node:assert/strict';
import { embeddedTexts, jobCost, takesLong } from '../../../../processors/score-metrics/job-cost.js';

const job = (metric: string, prompt: string, response: string | null = null) => ({
  ...{ metric, prompt, response },
});

describe('the cost of scoring a job', () => {
  const page = 'x'.repeat(2_000);

  it('is low without vectors, however long an ordinary text is', () => {
    for (const cost of [jobCost(false)(job('all', page, page)), jobCost(true)(job('text_metrics', page))])
      assert.ok(!takesLong(cost), String(cost));
  });

  it('is high if a page is embedded, and twice as high if two are', () => {
    const cost = jobCost(true);
    assert.ok(takesLong(cost(job('text_toxicity', page))));
    assert.ok(cost(job('all', page, page)) > 1.9 * cost(job('all', page)));
    assert.ok(!takesLong(cost(job('text_toxicity', 'What a lovely day!'))));
  });

  it('counts the texts that the metric compares', () => {
    assert.deepEqual(embeddedTexts(job('text_metrics', 'p', 'r')), []);
    assert.deepEqual(embeddedTexts(job('text_toxicity', 'p', 'r')), ['p']);
    assert.deepEqual(embeddedTexts(job('text_similarity', 'p', 'r')), ['p', 'r']);
    assert.deepEqual(embeddedTexts(job('all', 'p')), ['p']);
  });
});
