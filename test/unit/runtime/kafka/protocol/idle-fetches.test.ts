import assert from 'node:assert/strict';
import type Cluster from 'kafkajs/src/cluster/index.js';
import { waitLongerWhileIdle } from '../../../../../runtime/kafka/protocol/idle-fetches.js';

const gathering = { minBytes: 1_000, maxWaitTime: 500 };
const idling = { minBytes: 1, maxWaitTime: 1_000 };

function idleCluster() {
  const asked: object[] = [];
  let time = 0;
  let records = 0;
  const brokerPool = {
    createBroker: () => ({
      fetch: (request: object) => {
        asked.push(request);
        return Promise.resolve({ responses: [{ partitions: [{ messages: Array(records).fill({}) }] }] });
      },
    }),
  };
  waitLongerWhileIdle(
    { brokerPool } as unknown as Pick<Cluster, 'brokerPool'>,
    { afterMs: 2_000, maxWaitMs: 1_000 },
    () => time,
  );
  const broker = brokerPool.createBroker();
  return {
    asked,
    fetchAt: async (ms: number, returned: number) => {
      time = ms;
      records = returned;
      await broker.fetch(gathering);
    },
  };
}

describe('fetches of an idle broker', () => {
  it('wait longer and end with the first record', async () => {
    const { asked, fetchAt } = idleCluster();
    await fetchAt(0, 1);
    await fetchAt(1_999, 0);
    await fetchAt(2_000, 0);
    assert.deepEqual(asked, [gathering, gathering, idling]);
  });

  it('gather again after a record has come', async () => {
    const { asked, fetchAt } = idleCluster();
    await fetchAt(5_000, 1);
    await fetchAt(5_001, 0);
    assert.deepEqual(asked, [idling, gathering]);
  });
});
