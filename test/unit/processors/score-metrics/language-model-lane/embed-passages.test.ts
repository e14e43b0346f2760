import assert from 'node:assert/strict';
import { embedPassages } from '../../../../../processors/score-metrics/language-model-lane/embed-passages.js';
import { Unavailable } from '../../../../../processors/score-metrics/metrics/language-model/ask.js';
import type { EmbeddedText, EmbedderOrReason } from '../../../../../runtime/embedding/embedder.js';

const opened = (embed: (texts: readonly string[]) => Promise<readonly EmbeddedText[]>): EmbedderOrReason => ({
  available: true,
  embedder: { model: 'm', embed, close: () => Promise.resolve() },
});

describe('embedding passages', () => {
  it('gives one vector per text, in the direction of the mean of its windows', async () => {
    const embed = embedPassages(
      opened(() =>
        Promise.resolve([
          { windows: [Float32Array.of(1, 0)], opening: null },
          {
            windows: [Float32Array.of(1, 0), Float32Array.of(0, 1), Float32Array.of(0, 1)],
            opening: Float32Array.of(1, 0),
          },
        ]),
      ),
    );
    assert.deepEqual(await embed(['short', 'long']), [Float32Array.of(1, 0), Float32Array.of(1, 2)]);
  });

  it('says why there is no embedder', async () => {
    const embed = embedPassages({ available: false, reason: 'no weights' });
    await assert.rejects(embed(['a']), new Unavailable('no weights'));
  });

  it('says that the embedder failed, without quoting its message', async () => {
    const failing = Object.assign(new Error('wrong key sk-123'), { status: 401 });
    await assert.rejects(
      embedPassages(opened(() => Promise.reject(failing)))(['a']),
      new Unavailable('The embedding model failed (status 401).'),
    );
  });
});
