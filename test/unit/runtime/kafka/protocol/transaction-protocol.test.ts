import assert from 'node:assert/strict';
import type { Broker, ProtocolCall } from 'kafkajs/src/cluster/index.js';
import { isPassing, protocolErrorOf } from '../../../../../runtime/kafka/protocol/kafka-error.js';
import { openTransactions } from '../../../../../runtime/kafka/protocol/transaction-protocol.js';

const notLeader = 6;
const notAuthorized = 29;

interface DescribedProducer {
  readonly id: bigint;
  /** The first offset of its open transaction; -1: it has none. */
  readonly openFrom: bigint;
}

/** DescribeProducers response, version 0, for one partition of one topic. */
function answerOf(error: number, producers: readonly DescribedProducer[]): Buffer {
  const int16 = (value: number): Buffer => {
    const bytes = Buffer.alloc(2);
    bytes.writeInt16BE(value);
    return bytes;
  };
  const int32 = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(value);
    return bytes;
  };
  const int64 = (value: bigint): Buffer => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(value);
    return bytes;
  };
  const compact = (count: number): Buffer => Buffer.from([count + 1]);
  const noTags = Buffer.from([0]);
  const described = producers.map(({ id, openFrom }) =>
    Buffer.concat([int64(id), int32(0), int32(0), int64(0n), int32(0), int64(openFrom), noTags]),
  );
  return Buffer.concat([
    ...[noTags, int32(0), compact(1), compact(1), Buffer.from('t'), compact(1)],
    ...[int32(3), int16(error), Buffer.from([0]), compact(producers.length), ...described],
    ...[noTags, noTags, noTags],
  ]);
}

/** A broker that answers every request with these bytes. */
function brokerOf(answer: Buffer): Broker {
  const send = async <Answer>({ response }: ProtocolCall<Answer>): Promise<Answer> =>
    response.parse(await response.decode(answer));
  return { connectionPool: { send } } as unknown as Broker;
}

describe('the open transactions of partitions, as a broker describes them', () => {
  const asked = new Map([['t', [3]]]);
  const producers = [
    { id: 7n, openFrom: 12n },
    { id: 8n, openFrom: -1n },
  ];

  it('are those that have begun and not ended', async () => {
    assert.deepEqual(await openTransactions(brokerOf(answerOf(0, producers)), asked), {
      open: [{ topic: 't', partition: 3, producerId: '7' }],
      refused: [],
    });
  });

  it('are unknown if the user is not allowed to see them', async () => {
    assert.deepEqual(await openTransactions(brokerOf(answerOf(notAuthorized, [])), asked), {
      open: [],
      refused: ['t'],
    });
  });

  it('are unknown to a broker that no longer leads the partition, and another is asked', async () => {
    const moved = await openTransactions(brokerOf(answerOf(notLeader, [])), asked).catch(
      (error: unknown) => error,
    );
    assert.equal(protocolErrorOf(moved), 'NOT_LEADER_FOR_PARTITION');
    assert.ok(isPassing(moved));
  });
});
