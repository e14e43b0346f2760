import assert from 'node:assert/strict';
import type Cluster from 'kafkajs/src/cluster/index.js';
import protocolErrors from 'kafkajs/src/protocol/error.js';
import { TransactionCoordinator } from '../../../../../runtime/kafka/transactions/transaction-coordinator.js';

describe('a producer that fences a predecessor whose transaction has not ended', () => {
  const concurrentTransactions = 51;

  it('checks how that transaction ended before each retry, as a retry makes Kafka forget it', async () => {
    const calls: string[] = [];
    const broker = {
      initProducerId() {
        calls.push('asked');
        return calls.length < 5
          ? Promise.reject(protocolErrors.createErrorFromCode(concurrentTransactions))
          : Promise.resolve({ producerId: '7', producerEpoch: 2 });
      },
    };
    const cluster = { findGroupCoordinator: () => Promise.resolve(broker) } as unknown as Cluster;
    const { identity } = await TransactionCoordinator.fence(cluster, 'id', 15_000, {
      closed: new AbortController().signal,
      recover() {
        calls.push('looked');
        return Promise.resolve();
      },
    });
    assert.deepEqual(calls, ['asked', 'looked', 'asked', 'looked', 'asked']);
    assert.deepEqual(identity, { transactionalId: 'id', producerId: 7n, producerEpoch: 2 });
  });
});
