import assert from 'node:assert/strict';
import { scoringConfig } from '../../../../../processors/score-metrics/config.js';
import {
  createEmbeddingPool,
  type EmbeddingPool,
} from '../../../../../processors/score-metrics/language-model-lane/embedding-pool.js';
import { semanticScore } from '../../../../../processors/score-metrics/metrics/hallucination/semantic-score.js';
import { Unavailable } from '../../../../../processors/score-metrics/metrics/language-model/ask.js';
import { embeddingConfig } from '../../../../../runtime/embedding/config.js';
import { silentLogger } from '../../../../../runtime/logging.js';
import { createMetrics } from '../../../../../runtime/metrics.js';
import { modelFolderOrSkip } from '../../../../support/embedding-model.js';

const poolWith = (environment: Record<string, string>): EmbeddingPool =>
  createEmbeddingPool({
    embedding: embeddingConfig.parse(environment),
    config: scoringConfig.parse({}),
    metrics: createMetrics(),
    logger: silentLogger,
  });

describe('the embedding pool of the language model', function () {
  it('leaves the thread of the process free while it embeds', async function () {
    const pool = poolWith({ EMBEDDING_MODEL_DIR: await modelFolderOrSkip(this) });
    try {
      await pool.embed(['The first text loads the model.']);
      let turns = 0;
      let embedding = true;
      const count = (): void => {
        turns += 1;
        if (embedding) setImmediate(count);
      };
      setImmediate(count);
      const sentences = Array.from({ length: 200 }, (_, at) => `The ferry of ${at} o'clock was late.`);
      const vectors = await pool.embed(sentences);
      embedding = false;
      assert.equal(vectors.length, 200);
      assert.equal(vectors[0]?.length, 384);
      // Embedding on this thread would allow about one turn of the event loop per sentence.
      assert.ok(turns > 10 * sentences.length, `${turns} turns`);
      const same = await semanticScore('The sea is calm.', ['The sea is calm.'], pool.embed);
      const other = await semanticScore('The sea is calm.', ['Taxes are due in May.'], pool.embed);
      assert.ok(same < 0.01 && other > 0.5);
    } finally {
      await pool.stop();
    }
  });

  it('says why there are no vectors', async () => {
    const pool = poolWith({ EMBEDDING_MODEL_DIR: 'no/such/folder' });
    try {
      await assert.rejects(
        pool.embed(['a']),
        (error) => error instanceof Unavailable && /no\/such\/folder/.test(error.message),
      );
    } finally {
      await pool.stop();
    }
  });
});
