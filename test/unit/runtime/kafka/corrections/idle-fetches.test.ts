import assert from 'node:assert/strict';
import type Cluster from 'kafkajs/src/cluster/index.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { collectGarbage } from '../../../../support/heap-growth.js';
import { IdleFetches } from '../../../../../runtime/kafka/corrections/consumers.js';

const gathering = { minBytes: 1_000, maxWaitTime: 500 };
const idling = { minBytes: 1, maxWaitTime: 2_500 };

/** A broker whose fetches return a set number of records, or never return. */
function quietBroker() {
  const asked: object[] = [];
  let time = 0;
  let records: number | 'none yet' = 0;
  const brokerPool = {
    createBroker: () => ({
      fetch: (request: object) => {
        asked.push(request);
        if (records === 'none yet') return new Promise(() => undefined);
        return Promise.resolve({ responses: [{ partitions: [{ messages: Array(records).fill({}) }] }] });
      },
    }),
  };
  const fetches = new IdleFetches({ afterMs: 2_000, maxWaitMs: 2_500 }, () => time);
  fetches.lengthen({ brokerPool } as unknown as Pick<Cluster, 'brokerPool'>);
  const broker = brokerPool.createBroker();
  const fetchAt = (ms: number, returned: typeof records) => {
    time = ms;
    records = returned;
    return broker.fetch(gathering);
  };
  return { asked, fetches, fetchAt };
}

describe('fetches of an idle broker', () => {
  it('wait longer and end with the first record', async () => {
    const { asked, fetchAt } = quietBroker();
    await fetchAt(0, 1);
    await fetchAt(1_999, 0);
    await fetchAt(2_000, 0);
    assert.deepEqual(asked, [gathering, gathering, idling]);
  });

  it('gather again after a record has come', async () => {
    const { asked, fetchAt } = quietBroker();
    await fetchAt(5_000, 1);
    await fetchAt(5_001, 0);
    assert.deepEqual(asked, [idling, gathering]);
  });

  it('do not retain an answer once it has been returned', async () => {
    const { fetchAt } = quietBroker();
    const answer = new WeakRef((await fetchAt(5_000, 1)) as object);
    await nextTurn();
    collectGarbage();
    assert.equal(answer.deref(), undefined);
  });

  it('end without an answer if the consumer stops', async () => {
    const { fetches, fetchAt } = quietBroker();
    const fetching = fetchAt(2_000, 'none yet');
    fetches.end();
    assert.deepEqual(await fetching, { responses: [] });
    assert.deepEqual(await fetchAt(5_000, 'none yet'), { responses: [] });
  });
});
