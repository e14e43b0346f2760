import assert from 'node:assert/strict';
import { createKafka } from '../../../../../runtime/kafka/client/client.js';
import { openLog } from '../../../../../runtime/kafka/consume/log-access.js';
import { silentLogger } from '../../../../../runtime/logging.js';
import { pickFreePort } from '../../../../../stack/ports.js';
import { accessTo } from '../../../../support/kafka.js';
import { theStack } from '../../../../support/stack.js';
import { freshTopic } from '../../../../support/topic-of-test.js';
import { plaintext } from '../../../../../runtime/kafka/client/kafka-access.js';

describe('a log whose brokers do not all answer', () => {
  it('is opened and refreshed through any broker that does, wherever it is in the list', async () => {
    const { brokers } = await theStack();
    const topic = await freshTopic(
      createKafka({ brokers, security: plaintext, clientId: 'test', logger: silentLogger }),
      'living',
    );
    const dead = [`127.0.0.1:${await pickFreePort()}`, `127.0.0.1:${await pickFreePort()}`];
    for (const list of [
      [...dead, ...brokers],
      [...brokers, ...dead],
    ]) {
      const log = openLog(topic, accessTo(list));
      for (let refreshes = 0; refreshes < 4; refreshes++) await log.refresh();
      assert.deepEqual(log.partitions, [0]);
      await log.close();
    }
  });
});
