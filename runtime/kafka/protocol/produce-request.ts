import type { Broker } from 'kafkajs/src/cluster/index.js';
import { sendRequest } from './send-request.js';
import { sizeOfBatch, writeBatch, type BatchRecord } from './write-record-batch.js';

/** Identifies the sender: tells Kafka which records it already has, and which senders have been replaced. */
export interface ProducerIdentity {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  /** Set if the producer's records belong to transactions. */
  readonly transactionalId?: string;
}

/** The records for one partition in a request. */
export interface OutgoingPart {
  readonly topic: string;
  readonly partition: number;
  readonly records: readonly BatchRecord[];
  /** Sequence number of the first record, among all that this producer sends to the partition. */
  readonly firstSequence: number;
}

/** The broker's answer for a part; error 0 is none. */
interface AnsweredPart {
  readonly topic: string;
  readonly partition: number;
  readonly error: number;
}

const produceKey = 0;
const version = 7;
const allInSyncReplicas = -1;

/** The broker's answer to a request. */
interface Produced {
  readonly parts: readonly AnsweredPart[];
  /** For how long a quota delays the next request, ms. kafkajs reads this property by its name, and waits. */
  readonly clientSideThrottleTime: number;
}

/** Sends the parts to their leader; rejects if it does not answer within `timeoutMs` + `graceMs`. */
export function produce(
  broker: Broker,
  parts: readonly OutgoingPart[],
  identity: ProducerIdentity,
  timeoutMs: number,
): Promise<Produced> {
  return sendRequest(broker, {
    ...{ apiKey: produceKey, apiName: 'Produce', apiVersion: version },
    encode: () => encodeProduce(parts, identity, timeoutMs, Date.now()),
    decode: (payload) => Promise.resolve(decodeProduced(payload)),
    timeoutMs: timeoutMs + graceMs,
  });
}

/** How long the answer may take in addition to the broker's wait for replicas. */
const graceMs = 1_000;

/**
 * ProduceRequest, version 7 (kafka.apache.org/protocol#The_Messages_Produce): transactional_id acks timeout
 * [topic [partition record_set]]. Each topic appears once, with all its partitions.
 *
 * @param now milliseconds since 1970: the time of all records
 */
export function encodeProduce(
  parts: readonly OutgoingPart[],
  identity: ProducerIdentity,
  timeoutMs: number,
  now: number,
): Buffer {
  const { transactionalId } = identity;
  const topics = byTopic(parts.map((part) => sized(part, identity, now)));
  let size = sizeOfText(transactionalId) + 2 + 4 + 4;
  for (const [topic, those] of topics) {
    size += sizeOfText(topic) + 4;
    for (const part of those) size += 8 + part.size;
  }
  const into = Buffer.allocUnsafe(size);
  let at = writeText(into, 0, transactionalId);
  at = into.writeInt16BE(allInSyncReplicas, at);
  at = into.writeInt32BE(timeoutMs, at);
  at = into.writeInt32BE(topics.size, at);
  for (const [topic, those] of topics) {
    at = writeText(into, at, topic);
    at = into.writeInt32BE(those.length, at);
    for (const part of those) {
      at = into.writeInt32BE(part.partition, at);
      at = into.writeInt32BE(part.size, at);
      at = writeBatch(into, at, part.size, part.batch);
    }
  }
  return into;
}

function sized(
  { topic, partition, records, firstSequence }: OutgoingPart,
  by: ProducerIdentity,
  now: number,
) {
  const batch = {
    records,
    timestamp: now,
    transactional: by.transactionalId !== undefined,
    producerId: by.producerId,
    producerEpoch: by.producerEpoch,
    firstSequence,
  };
  return { topic, partition, batch, size: sizeOfBatch(batch) };
}

function byTopic<Part extends { readonly topic: string }>(parts: readonly Part[]): Map<string, Part[]> {
  const topics = new Map<string, Part[]>();
  for (const part of parts) {
    const those = topics.get(part.topic);
    if (those === undefined) topics.set(part.topic, [part]);
    else those.push(part);
  }
  return topics;
}

function sizeOfText(text: string | undefined): number {
  return 2 + (text === undefined ? 0 : Buffer.byteLength(text));
}

function writeText(into: Buffer, at: number, text: string | undefined): number {
  if (text === undefined) return into.writeInt16BE(-1, at);
  const start = into.writeInt16BE(Buffer.byteLength(text), at);
  return start + into.write(text, start);
}

/** After the error code of a partition: base offset, log-append time, log start offset. */
const bytesAfterError = 8 + 8 + 8;

/** ProduceResponse, version 7: [topic [partition error base_offset log_append_time log_start_offset]] throttle_time. */
export function decodeProduced(payload: Buffer): Produced {
  const parts: AnsweredPart[] = [];
  let at = 4;
  for (let topics = payload.readInt32BE(0); topics > 0; topics--) {
    const length = payload.readInt16BE(at);
    const topic = payload.toString('utf8', at + 2, at + 2 + length);
    at += 2 + length + 4;
    for (let partitions = payload.readInt32BE(at - 4); partitions > 0; partitions--) {
      parts.push({ topic, partition: payload.readInt32BE(at), error: payload.readInt16BE(at + 4) });
      at += 4 + 2 + bytesAfterError;
    }
  }
  return { parts, clientSideThrottleTime: payload.readInt32BE(at) };
}

/** Kafka's murmur2 (32 bits), as the Java client and kafkajs's default partitioner compute it. */
export function murmur2(data: Buffer): number {
  const m = 0x5bd1e995;
  let hash = 0x9747b28c ^ data.length;
  const whole = data.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    let k = Math.imul(data.readInt32LE(at), m);
    k ^= k >>> 24;
    hash = Math.imul(hash, m) ^ Math.imul(k, m);
  }
  const rest = data.length - whole;
  if (rest === 3) hash ^= data.readUInt8(whole + 2) << 16;
  if (rest >= 2) hash ^= data.readUInt8(whole + 1) << 8;
  if (rest >= 1) hash = Math.imul(hash ^ data.readUInt8(whole), m);
  hash = Math.imul(hash ^ (hash >>> 13), m);
  return hash ^ (hash >>> 15);
}

/** The partition to which the default partitioner sends a key. */
export function partitionOf(key: string | Buffer, partitions: number): number {
  return (murmur2(typeof key === 'string' ? Buffer.from(key) : key) & 0x7fffffff) % partitions;
}
