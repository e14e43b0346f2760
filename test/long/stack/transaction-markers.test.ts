import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  openTransactionalProducer,
  type TransactionalProducer,
} from '../../../runtime/kafka/transactions/transactional-producer.js';
import { accessTo, plainKafka } from '../../support/kafka.js';
import { freshTopic } from '../../support/topic-of-test.js';
import { theStack } from '../../support/stack.js';

const producers = 12;
const kills = 6;

/** Logged by Kafka's TransactionMarkerChannelManager when it leaves a transaction open in a partition. */
const skipped = /Couldn't find leader endpoint for partitions .*/g;

describe('the local broker, killed amid transactions', function () {
  it('writes the end of every transaction that had been decided', async function () {
    const stack = await theStack();
    const log = join(stack.folder, 'logs', 'kafka.log');
    if (!existsSync(log)) return this.skip();
    const before = readFileSync(log).length;
    const from = await freshTopic(plainKafka(stack.brokers), 'markers', producers);
    const to = await freshTopic(plainKafka(stack.brokers), 'markers', producers);
    let over = false;
    let committed = 0;

    const produce = async (partition: number): Promise<void> => {
      let producer: TransactionalProducer | undefined;
      for (let next = 1; !over; next++) {
        try {
          producer ??= await openTransactionalProducer(accessTo(stack.brokers), `${from}.${partition}`);
          const record = { topic: to, key: Buffer.from(`k${partition}`), value: Buffer.from(String(next)) };
          await producer.commit([record], { groupId: from, topic: from, partition, next });
          committed += 1;
        } catch {
          await producer?.discard();
          producer = undefined;
          await sleep(50);
        }
      }
      await producer?.discard();
    };
    const working = Promise.all(Array.from({ length: producers }, (_, partition) => produce(partition)));

    for (let kill = 0; kill < kills; kill++) {
      const reached = committed + 50;
      while (committed < reached) await sleep(20);
      await stack.kafka.kill9();
      await stack.kafka.start();
    }
    const reached = committed + 50;
    while (committed < reached) await sleep(20);
    over = true;
    await working;
    assert.deepEqual(readFileSync(log).subarray(before).toString().match(skipped), null);
  });
});
