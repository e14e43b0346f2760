import assert from 'node:assert/strict';
import { isMet, lineOf, type Evaluated } from '../../../../bench/evaluate/evaluation.js';
import { evaluateSimilarity } from '../../../../bench/evaluate/similarity.js';
import {
  evaluateJailbreak,
  evaluateRefusal,
  evaluateThemeParity,
} from '../../../../bench/evaluate/themes.js';
import { evaluateTopic } from '../../../../bench/evaluate/topic.js';
import { evaluateTrainedModels } from '../../../../bench/evaluate/trained-models.js';
import type { Embedder } from '../../../../runtime/embedding/embedder.js';
import { embedderOrSkip } from '../../../support/embedding-model.js';

/** `npm run evaluate` reads every row; every sixth is enough to notice a broken metric. */
const some = { every: 6 };

describe('metrics of embeddings on labelled texts', function () {
  let embedder: Embedder;
  before(async function () {
    embedder = await embedderOrSkip(this);
  });

  function requireMet(context: Mocha.Context, evaluated: Evaluated): void {
    if ('skipped' in evaluated) {
      console.log(`      skipped: ${evaluated.skipped}`);
      context.skip();
    }
    for (const evaluation of evaluated) assert.ok(isMet(evaluation), lineOf(evaluation));
  }

  it('order pairs of sentences as people do', async function () {
    requireMet(this, await evaluateSimilarity(embedder, some));
  });

  it("equal the reference's columns within 0.02, given its themes", async function () {
    requireMet(this, await evaluateThemeParity(embedder));
  });

  it('tell jailbreaks in the wild from general prompts', async function () {
    requireMet(this, await evaluateJailbreak(embedder, some));
  });

  it('tell refusals from answers', async function () {
    requireMet(this, await evaluateRefusal(embedder, some));
  });

  it('find the topic', async function () {
    requireMet(this, await evaluateTopic(embedder, some));
  });
});

describe('the trained models', () => {
  it('met every figure when they were trained', () => {
    const evaluated = evaluateTrainedModels();
    assert.ok(!('skipped' in evaluated));
    for (const evaluation of evaluated) assert.ok(isMet(evaluation), lineOf(evaluation));
  });
});
