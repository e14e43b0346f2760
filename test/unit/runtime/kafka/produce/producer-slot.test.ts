import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { plaintext } from '../../../../../runtime/kafka/client/kafka-access.js';
import { openIdempotentProducer } from '../../../../../runtime/kafka/produce/producer-slot.js';
import { accessTo } from '../../../../support/kafka.js';

describe('the opening of a producer', () => {
  it('fails without another try once the producer is closed', async () => {
    const closed = new AbortController();
    let opened = 0;
    const security = {
      ...plaintext,
      openSocket() {
        opened += 1;
        closed.abort();
        const socket = new Socket();
        process.nextTick(() => socket.destroy(new Error('nobody is there')));
        return socket;
      },
    };
    const opening = openIdempotentProducer({ ...accessTo(['broker:9092']), security }, closed.signal);
    await assert.rejects(opening);
    assert.equal(opened, 1);
  });
});
