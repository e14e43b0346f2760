import type { Broker } from 'kafkajs/src/cluster/index.js';
import { decodeBatches, type RecordBatch } from './record-batches.js';
import { sendRequest } from './send-request.js';

/** What to fetch from the partitions of one topic that one broker leads. */
export interface Wanted {
  readonly topic: string;
  /** The first offset of each partition. A broker serves the first partitions first. */
  readonly from: readonly (readonly [partition: number, offset: number])[];
  readonly maxWaitMs: number;
  readonly maxBytes: number;
  readonly maxBytesPerPartition: number;
}

export interface FetchedPartition {
  readonly partition: number;
  /** Kafka's error code; 0 is none. */
  readonly error: number;
  readonly highWatermark: number;
  readonly batches: readonly RecordBatch[];
}

/** What a broker answers. */
interface Fetched {
  readonly partitions: readonly FetchedPartition[];
  /** For how long a quota delays the next request, ms. kafkajs reads this property by its name, and waits. */
  readonly clientSideThrottleTime: number;
}

const fetchKey = 1;
const version = 11;
const consumer = -1;
const minBytes = 1;
const readUncommitted = 0;
const noSession = { id: 0, epoch: -1 };
const unknown = -1;
/** How long an answer may exceed its `maxWaitMs` before its broker counts as gone. */
const graceMs = 3_000;

/** Fetches committed and other records, as they are in the log. Rejects without an answer in time. */
export function fetchRecords(broker: Broker, wanted: Wanted): Promise<Fetched> {
  return sendRequest(broker, {
    ...{ apiKey: fetchKey, apiName: 'Fetch', apiVersion: version },
    encode: () => encodeFetch(wanted),
    decode: decodeFetched,
    timeoutMs: wanted.maxWaitMs + graceMs,
  });
}

/**
 * FetchRequest, version 11 (kafka.apache.org/protocol#The_Messages_Fetch): replica_id max_wait_ms min_bytes max_bytes
 * isolation_level session_id session_epoch [topic [partition current_leader_epoch fetch_offset log_start_offset
 * partition_max_bytes]] [forgotten_topics_data] rack_id.
 */
export function encodeFetch({ topic, from, maxWaitMs, maxBytes, maxBytesPerPartition }: Wanted): Buffer {
  const name = Buffer.from(topic);
  const into = Buffer.alloc(4 * 4 + 1 + 2 * 4 + 4 + 2 + name.length + 4 + from.length * 28 + 4 + 2);
  let at = into.writeInt32BE(consumer);
  at = into.writeInt32BE(maxWaitMs, at);
  at = into.writeInt32BE(minBytes, at);
  at = into.writeInt32BE(maxBytes, at);
  at = into.writeInt8(readUncommitted, at);
  at = into.writeInt32BE(noSession.id, at);
  at = into.writeInt32BE(noSession.epoch, at);
  at = into.writeInt32BE(1, at);
  at = into.writeInt16BE(name.length, at);
  at += name.copy(into, at);
  at = into.writeInt32BE(from.length, at);
  for (const [partition, offset] of from) {
    at = into.writeInt32BE(partition, at);
    at = into.writeInt32BE(unknown, at);
    at = into.writeBigInt64BE(BigInt(offset), at);
    at = into.writeBigInt64BE(BigInt(unknown), at);
    at = into.writeInt32BE(maxBytesPerPartition, at);
  }
  // No forgotten topics, and no rack: both have length 0.
  return into;
}

/**
 * FetchResponse, version 11: throttle, error, session, topics [name, partitions [index, error, high watermark, last
 * stable offset, log start, aborted [producer, first], preferred replica, records]].
 */
async function decodeFetched(payload: Buffer): Promise<Fetched> {
  const partitions: FetchedPartition[] = [];
  const clientSideThrottleTime = payload.readInt32BE(0);
  let at = 4 + 2 + 4;
  const int32 = (): number => {
    at += 4;
    return payload.readInt32BE(at - 4);
  };
  for (let topics = int32(); topics > 0; topics--) {
    at += 2 + payload.readInt16BE(at);
    for (let count = int32(); count > 0; count--) {
      const partition = int32();
      const error = payload.readInt16BE(at);
      const highWatermark = Number(payload.readBigInt64BE(at + 2));
      at += 2 + 8 + 8 + 8;
      const aborted = int32();
      at += Math.max(0, aborted) * 16 + 4;
      const size = Math.max(0, int32());
      const batches = await decodeBatches(payload.subarray(at, at + size));
      at += size;
      partitions.push({ partition, error, highWatermark, batches });
    }
  }
  return { partitions, clientSideThrottleTime };
}
