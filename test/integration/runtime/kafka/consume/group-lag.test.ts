import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { openGroupLagReader } from '../../../../../runtime/kafka/consume/group-lag.js';
import { accessTo, plainKafka } from '../../../../support/kafka.js';
import { theStack } from '../../../../support/stack.js';
import { freshTopic } from '../../../../support/topic-of-test.js';

const openSockets = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;

describe('a reader of lags', () => {
  it('leaves no connection where it is stopped while it reads', async () => {
    const { brokers } = await theStack();
    const topic = await freshTopic(plainKafka(brokers), 'lag');
    const before = openSockets();
    for (const delayMs of [0, 2, 4, 6, 8, 10, 15, 20]) {
      const reader = openGroupLagReader(accessTo(brokers));
      const read = reader.read([{ groupId: 'nobody', topic }], [topic]);
      read.catch(() => undefined);
      await sleep(delayMs);
      await reader.stop();
    }
    await sleep(200);
    assert.ok(openSockets() <= before, `${openSockets()} sockets, ${before} before`);
  });
});
