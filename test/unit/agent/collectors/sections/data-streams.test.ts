import assert from 'node:assert/strict';
import { dataStreamsCollector } from '../../../../../agent/collectors/sections/data-streams.js';
import { answered, collectFrom } from '../../../../support/stub-collection.js';

describe('the listing of data streams', () => {
  it('is partial if shards did not answer: their sizes are missing from the sums', async () => {
    for (const failed of [0, 2]) {
      const answer = { _shards: { total: 4, successful: 4 - failed, failed }, data_stream_count: 0 };
      const outcome = await collectFrom(dataStreamsCollector, () => answered(200, answer));
      assert.ok(outcome.ok);
      assert.equal(outcome.collected?.partial, failed > 0);
    }
  });
});
