import assert from 'node:assert/strict';
import request from 'kafkajs/src/protocol/requests/metadata/v5/request.js';
import { encodeMetadataRequest } from '../../../../../runtime/kafka/client/cluster.js';

describe('a request for metadata', () => {
  it('is written as kafkajs writes it', async () => {
    const topics = ['scoring.requests', 'tøpic'];
    const { buffer } = await request({ topics, allowAutoTopicCreation: false }).encode();
    assert.deepEqual(encodeMetadataRequest(topics), buffer);
  });

  it('asks for no topic if none is named, unlike that of kafkajs', () => {
    assert.deepEqual(encodeMetadataRequest([]), Buffer.from([0, 0, 0, 0, 0]));
  });
});
