import assert from 'node:assert/strict';
import type { Embedder } from '../../../../../runtime/embedding/embedder.js';
import { readThemes, readTopics } from '../../../../../processors/score-metrics/semantics/example-files.js';
import { embedTexts } from '../../../../../processors/score-metrics/semantics/embed-texts.js';

const examples = {
  themes: [{ name: 'jailbreak', of: 'prompt', examples: ['a', 'bb'] } as const],
  topics: [{ name: 'law', examples: ['ccc'] }],
};
const embedder = (model: string, embed: Embedder['embed']): Embedder => ({
  model,
  embed,
  close: () => Promise.resolve(),
});
const lengths: Embedder['embed'] = (texts) =>
  Promise.resolve(texts.map((text) => ({ windows: [Float32Array.from([text.length])], opening: null })));

describe('embedding texts for the metrics', () => {
  it('has the vectors of all built-in examples, and embeds none of them at its start', async () => {
    const asked: string[] = [];
    const listening: Embedder['embed'] = (texts) => {
      asked.push(...texts);
      return lengths(texts);
    };
    const builtIn = { themes: readThemes({}), topics: readTopics({}) };
    const embed = embedTexts({ available: true, embedder: embedder('all-MiniLM-L6-v2', listening) }, builtIn);
    await embed([]);
    assert.deepEqual(asked, [], 'run `npm run train examples` after a change of examples');
  });

  it('returns the vectors of the text, and those of the examples by group', async () => {
    const embed = embedTexts({ available: true, embedder: embedder('all-MiniLM-L6-v2', lengths) }, examples);
    const [semantics] = await embed(['four']);
    assert.ok(semantics !== undefined && 'windows' in semantics);
    assert.deepEqual(semantics.windows, [Float32Array.from([4])]);
    assert.deepEqual(semantics.models.themes[0]?.examples, [Float32Array.from([1]), Float32Array.from([2])]);
    assert.deepEqual(semantics.models.topics, [{ name: 'law', examples: [Float32Array.from([3])] }]);
    assert.equal(typeof semantics.models.toxicity, 'function');
  });

  it('does not use trained models with the vectors of another embedding model', async () => {
    const embed = embedTexts({ available: true, embedder: embedder('another', lengths) }, examples);
    const [semantics] = await embed(['four']);
    assert.ok(semantics !== undefined && 'windows' in semantics);
    assert.match(JSON.stringify(semantics.models.injection), /trained for all-MiniLM-L6-v2.*is another/);
  });

  it('says what kind of failure there was if no endpoint answered', async () => {
    const failures = [
      Object.assign(new Error('no answer of http://10.0.0.1'), { status: undefined }),
      new Error('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) }),
      new RangeError('out of memory'),
    ];
    const reasons = failures.map(async (failure) => {
      const failing: Embedder['embed'] = () => Promise.reject(failure);
      const embed = embedTexts(
        { available: true, embedder: embedder('all-MiniLM-L6-v2', failing) },
        examples,
      );
      return embed(['x']);
    });
    assert.deepEqual((await Promise.all(reasons)).flat(), [
      { reason: 'The embedding model failed (Error).' },
      { reason: 'The embedding model failed (ECONNREFUSED).' },
      { reason: 'The embedding model failed (RangeError).' },
    ]);
  });

  it('says why there are no vectors, without quoting the endpoint, and tries again', async () => {
    let broken = true;
    const failing: Embedder['embed'] = (texts) =>
      broken ? Promise.reject(Object.assign(new Error('bad key sk-123'), { status: 401 })) : lengths(texts);
    const embed = embedTexts({ available: true, embedder: embedder('all-MiniLM-L6-v2', failing) }, examples);
    assert.deepEqual(await embed(['x', 'y']), [
      { reason: 'The embedding model failed with status 401.' },
      { reason: 'The embedding model failed with status 401.' },
    ]);
    broken = false;
    assert.ok((await embed(['x'])).every((semantics) => 'windows' in semantics));
    const without = embedTexts({ available: false, reason: 'None.' }, examples);
    assert.deepEqual(await without(['x']), [{ reason: 'None.' }]);
  });
});
