import assert from 'node:assert/strict';
import { silentLogger } from '../../../../../runtime/logging.js';
import { logEnd, logStart, type LogAccess } from '../../../../../runtime/kafka/consume/log-access.js';
import { readFromBroker, type Delivery } from '../../../../../runtime/kafka/consume/read-from-broker.js';
import { OpenTransactions, type RecordBatch } from '../../../../../runtime/kafka/protocol/record-batches.js';
import { reasonToRebuild } from '../../../../../runtime/kafka/views/view-target.js';
import { checkpointOf } from '../../../../../runtime/kafka/views/follow-topic.js';

type Written = readonly [time: number, control?: 'commit'];

/** One record or marker at each offset. */
function batchesOf(written: readonly Written[]): readonly RecordBatch[] {
  return written.map(([timestamp, control], offset) => ({
    ...{ baseOffset: offset, nextOffset: offset + 1, maxTimestamp: timestamp },
    ...{ producerId: 7n, transactional: control !== undefined, control },
    records: control === undefined ? [{ offset, timestamp, key: null, value: null, headers: {} }] : [],
  }));
}

/** A log of one partition; each fetch returns one batch. */
function logOf(batches: readonly RecordBatch[]): LogAccess {
  const offsetAt = (time: number): number => {
    if (time === logStart) return 0;
    if (time === logEnd) return batches.length;
    return batches.find(({ maxTimestamp }) => maxTimestamp >= time)?.baseOffset ?? -1;
  };
  return {
    refresh: () => Promise.resolve(),
    recount: () => Promise.resolve(),
    clusterId: 'cluster',
    partitions: [0],
    hasLeader: () => true,
    byLeader: () => new Map([['1', [0]]]),
    offsets: (at) =>
      Promise.resolve(new Map([...at].map(([partition, time]) => [partition, offsetAt(time)]))),
    fetch: ({ from }) =>
      Promise.resolve(
        [...from].map(([partition, position]) => ({
          ...{ partition, error: 0, highWatermark: batches.length },
          batches: batches.slice(position, position + 1),
        })),
      ),
    close: () => Promise.resolve(),
  };
}

/** The state of a view's store once it has read the whole log. */
async function readAll(log: LogAccess, end: number) {
  const ended = new AbortController();
  let at = checkpointOf(nothing, undefined);
  const deliver = (deliveries: readonly Delivery[]): Promise<void> => {
    for (const delivery of deliveries) at = checkpointOf(delivery, at);
    if (at.position === end) ended.abort();
    return Promise.resolve();
  };
  await readFromBroker(
    { topic: 't', log, logger: silentLogger, deliver },
    '1',
    [0],
    new Map([[0, { position: 0, transactions: new OpenTransactions() }]]),
    { stopped: ended.signal, ended: ended.signal },
    () => undefined,
  );
  return { clusterId: 'cluster', topic: 't', savedAt: Date.now(), partitions: { 0: at } };
}

const nothing: Delivery = {
  ...{ partition: 0, records: [], position: 0, restartAt: 0, highWatermark: 0 },
  latestTimestamp: undefined,
};

async function reasonAfterReading(read: readonly Written[], present = read): Promise<string | undefined> {
  const checkpoint = await readAll(logOf(batchesOf(read)), read.length);
  return reasonToRebuild(checkpoint, 't', logOf(batchesOf(present)), Date.now());
}

describe('a store of a view at its next start', () => {
  it("is trusted even if the partition's next leader had a slower clock", async () => {
    assert.equal(await reasonAfterReading([[1_000], [3_000], [2_000]]), undefined);
  });

  it('is trusted if the last thing it read was the end of a transaction', async () => {
    assert.equal(await reasonAfterReading([[1_000], [1_004, 'commit']]), undefined);
  });

  it('is not trusted if the topic was recreated, even with as many records', async () => {
    const reason = await reasonAfterReading([[1_000], [2_000]], [[3_000], [4_000], [5_000]]);
    assert.match(String(reason), /younger/);
  });
});
