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
    const [embedded] = await embedder.embed([text]);
    assert.ok(embedded?.windows[0] !== undefined);
    return embedded.windows[0];
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
    assert.deepEqual(beside?.windows[0], alone);
  });

  it('gives a unit vector for any text at all', async () => {
    const texts = ['', ' ', 'x', '😀😀', '\ud800 alone \udc00', 'שלום עולם', '!!! 123', 'x'.repeat(100_000)];
    for (const { windows, opening } of await embedder.embed(texts)) {
      for (const vector of [opening ?? [], windows].flat())
        assert.ok(Math.abs(dot(vector, vector) - 1) < 1e-5);
    }
  });

  it('reads the tail of a long text in windows of its own', async () => {
    const [embedded] = await embedder.embed(['Nothing happens here. '.repeat(150)]);
    assert.equal(embedded?.windows.length, 5);
  });

  it('embeds the opening of a long text separately from the whole', async () => {
    const refusal = "I'm sorry, but I can't help with that. Please ask me for something else. ";
    const [short, long] = await embedder.embed([
      refusal,
      refusal + 'Meanwhile the bread is in the oven, and it smells of rye and caraway. '.repeat(12),
    ]);
    assert.equal(short?.opening, null);
    assert.ok(long?.opening && long.windows[0] && short.windows[0]);
    assert.equal(long.windows.length, 1);
    assert.ok(dot(long.opening, short.windows[0]) > dot(long.windows[0], short.windows[0]) + 0.1);
  });
});
