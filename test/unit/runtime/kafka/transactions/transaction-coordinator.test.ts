import assert from 'node:assert/strict';
import type Cluster from 'kafkajs/src/cluster/index.js';
import protocolErrors from 'kafkajs/src/protocol/error.js';
import { TransactionCoordinator } from '../../../../../runtime/kafka/transactions/transaction-coordinator.js';

describe('who fences a predecessor whose transaction has not ended', () => {
  const concurrentTransactions = 51;

  it('looks after its end before each further try, which has Kafka forget it', async () => {
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
