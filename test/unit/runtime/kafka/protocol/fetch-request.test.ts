import assert from 'node:assert/strict';
import request from 'kafkajs/src/protocol/requests/fetch/v11/request.js';
import { encodeFetch } from '../../../../../runtime/kafka/protocol/fetch-request.js';

describe('a request for records', () => {
  it('is written as kafkajs writes it', async () => {
    const { buffer } = await request({
      ...{ replicaId: -1, maxWaitTime: 500, minBytes: 1, maxBytes: 4_194_304, isolationLevel: 0 },
      topics: [
        {
          topic: 'tøpic',
          partitions: [
            { partition: 7, fetchOffset: 2 ** 40, maxBytes: 1_048_576 },
            { partition: 0, fetchOffset: 0, maxBytes: 1_048_576 },
          ],
        },
      ],
    }).encode();
    const written = encodeFetch({
      topic: 'tøpic',
      from: [
        [7, 2 ** 40],
        [0, 0],
      ],
      ...{ maxWaitMs: 500, maxBytes: 4_194_304, maxBytesPerPartition: 1_048_576 },
    });
    assert.deepEqual(written, buffer);
  });
});
