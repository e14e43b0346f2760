import Decoder from 'kafkajs/src/protocol/decoder.js';
import Encoder from 'kafkajs/src/protocol/encoder.js';
import type { Broker } from 'kafkajs/src/cluster/index.js';
import { kafkaError } from './kafka-error.js';
import { sendRequest } from './send-request.js';

/**
 * Two requests of Kafka's protocol (KIP-664, brokers from 3.0) that kafkajs lacks: the state of a transaction at its
 * coordinator, and the open transactions of a partition. Both flexible, version 0; kafka.apache.org/protocol.
 */

export interface TransactionState {
  /** `Empty`, `Ongoing`, `PrepareCommit`, `PrepareAbort`, `CompleteCommit`, `CompleteAbort`, `Dead`, …; or `Unknown`. */
  readonly state: string;
  /** As its producer has chosen it, milliseconds. */
  readonly timeoutMs: number;
  readonly producerId: string;
  readonly producerEpoch: number;
}

export interface OpenTransaction {
  readonly topic: string;
  readonly partition: number;
  readonly producerId: string;
}

const describeTransactionsKey = 65;
const describeProducersKey = 61;
const requestTimeoutMs = 5_000;

/** Whether the broker supports both requests; a managed service's may not. */
export function describesTransactions({ versions }: Broker): boolean {
  return versions === null || (describeTransactionsKey in versions && describeProducersKey in versions);
}

/** The state of a transactional id at its coordinator; `Unknown` for one that it has never seen, or has forgotten. */
export async function describeTransaction(
  coordinator: Broker,
  transactionalId: string,
): Promise<TransactionState> {
  return send(coordinator, {
    apiKey: describeTransactionsKey,
    apiName: 'DescribeTransactions',
    encode: () =>
      new Encoder()
        .writeUVarIntBytes()
        .writeUVarIntArray([new Encoder().writeUVarIntString(transactionalId)])
        .writeUVarIntBytes(),
    decode(decoder) {
      const [found] = arrayOf(decoder, (entry) => {
        const error = entry.readInt16();
        entry.readUVarIntString();
        const state = entry.readUVarIntString() ?? '';
        const timeoutMs = entry.readInt32();
        entry.readInt64();
        const producerId = entry.readInt64().toString();
        const producerEpoch = entry.readInt16();
        arrayOf(entry, skipTopic);
        entry.readTaggedFields();
        if (error === transactionalIdNotFound) return unknown;
        throwError(error);
        return { state, timeoutMs, producerId, producerEpoch };
      });
      return found ?? unknown;
    },
  });
}

const unknown: TransactionState = { state: 'Unknown', timeoutMs: 0, producerId: '-1', producerEpoch: -1 };
const transactionalIdNotFound = 105;

/** Throws an error as kafkajs does, so that callers see whether the same request may succeed later. */
function throwError(error: number): void {
  if (error !== 0) throw kafkaError(error);
}

function skipTopic(entry: Decoder): void {
  entry.readUVarIntString();
  arrayOf(entry, (partition) => partition.readInt32());
  entry.readTaggedFields();
}

/** A broker's answer about the open transactions of partitions. */
interface DescribedProducers {
  readonly open: readonly OpenTransaction[];
  /** Topics that this user may not describe. */
  readonly refused: readonly string[];
}

/** The open transactions of partitions. Rejects if the broker does not lead all of them. */
export async function openTransactions(
  leader: Broker,
  topics: ReadonlyMap<string, readonly number[]>,
): Promise<DescribedProducers> {
  return send(leader, {
    apiKey: describeProducersKey,
    apiName: 'DescribeProducers',
    encode: () =>
      new Encoder()
        .writeUVarIntBytes()
        .writeUVarIntArray(
          [...topics].map(([topic, partitions]) =>
            new Encoder()
              .writeUVarIntString(topic)
              .writeUVarIntArray(partitions.map((partition) => new Encoder().writeInt32(partition)))
              .writeUVarIntBytes(),
          ),
        )
        .writeUVarIntBytes(),
    decode(decoder) {
      const described = arrayOf(decoder, openOfTopic);
      return {
        open: described.flatMap(({ open }) => open),
        refused: described.filter(({ refused }) => refused).map(({ topic }) => topic),
      };
    },
  });
}

const topicAuthorizationFailed = 29;

function openOfTopic(entry: Decoder): { topic: string; open: OpenTransaction[]; refused: boolean } {
  const topic = entry.readUVarIntString() ?? '';
  let refused = false;
  const open = arrayOf(entry, (described) => {
    const partition = described.readInt32();
    const error = described.readInt16();
    if (error === topicAuthorizationFailed) refused = true;
    else throwError(error);
    described.readUVarIntString();
    const producers = arrayOf(described, (producer) => {
      const producerId = producer.readInt64().toString();
      producer.readInt32();
      producer.readInt32();
      producer.readInt64();
      producer.readInt32();
      const startOffset = Number(producer.readInt64().toString());
      producer.readTaggedFields();
      return { producerId, startOffset };
    });
    described.readTaggedFields();
    return producers
      .filter(({ startOffset }) => startOffset >= 0)
      .map(({ producerId }) => ({ topic, partition, producerId }));
  });
  entry.readTaggedFields();
  return { topic, open: open.flat(), refused };
}

const arrayOf = <Entry>(decoder: Decoder, read: (decoder: Decoder) => Entry): Entry[] =>
  decoder.readUVarIntArray(read) ?? [];

interface Call<Answer> {
  readonly apiKey: number;
  readonly apiName: string;
  readonly encode: () => Encoder;
  /** Reads what follows the header's tags and the throttle time. */
  readonly decode: (decoder: Decoder) => Answer;
}

function send<Answer>(broker: Broker, { apiKey, apiName, encode, decode }: Call<Answer>): Promise<Answer> {
  return sendRequest(broker, {
    ...{ apiKey, apiName, apiVersion: 0 },
    encode: () => encode().buffer,
    decode(payload) {
      const decoder = new Decoder(payload);
      decoder.readTaggedFields();
      decoder.readInt32();
      return Promise.resolve(decode(decoder));
    },
    timeoutMs: requestTimeoutMs,
  });
}
