import assert from 'node:assert/strict';
import type { Embedder } from '../../../../runtime/embedding/embedder.js';
import { embedderOrSkip } from '../../../support/embedding-model.js';

const dot = (left: Float32Array, right: Float32Array): number =>
  left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);

describe('embedded model', function () {
  let embedder: Embedder;

  before(async function () {
    embedder = await embedderOrSkip(this);
  });

  const first = async (text: string): Promise<Float32Array> => {
    const [windows] = await embedder.embed([text]);
    assert.ok(windows?.[0] !== undefined);
    return windows[0];
  };

  it('puts a paraphrase nearer than another subject', async () => {
    const [question, paraphrase, other] = await Promise.all(
      ['How do I reset my password?', 'I forgot my login credentials', 'The cat sat on the mat'].map(first),
    );
    assert.ok(question && paraphrase && other);
    assert.ok(dot(question, paraphrase) > 0.5);
    assert.ok(dot(question, other) < 0.2);
  });

  it('gives the same vector alone and beside other texts', async () => {
    const alone = await first('A short text.');
    const [, beside] = await embedder.embed(['word '.repeat(200), 'A short text.']);
    assert.deepEqual(beside?.[0], alone);
  });

  it('gives a unit vector for any text at all', async () => {
    const texts = ['', ' ', 'x', '😀😀', '\ud800 alone \udc00', 'שלום עולם', '!!! 123', 'x'.repeat(100_000)];
    for (const windows of await embedder.embed(texts)) {
      for (const vector of windows) assert.ok(Math.abs(dot(vector, vector) - 1) < 1e-5);
    }
  });

  it('reads the tail of a long text in windows of its own', async () => {
    const [windows] = await embedder.embed(['Nothing happens here. '.repeat(150)]);
    assert.equal(windows?.length, 5);
  });
});
