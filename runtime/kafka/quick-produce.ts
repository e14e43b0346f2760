import Encoder from 'kafkajs/src/protocol/encoder.js';
import produce, {
  type ProduceOptions,
  type ProducedMessage,
} from 'kafkajs/src/protocol/requests/produce/index.js';
import { sizeOfBatch, writeBatch, type OutgoingBatch } from './write-record-batch.js';

/**
 * Lets kafkajs's producers write their requests in one go.
 *
 * kafkajs 2.2.4 makes a buffer of 512 bytes and a dozen small ones for each record, and copies each five times: at the
 * edge that was the half of all work where records are small. Everything else of a producer stays kafkajs's: whom a
 * request goes to, its sequence numbers, its retries, its transaction. What it is given and we never give it
 * (compression, a timestamp of a record, lists of headers) it goes on encoding itself.
 */
export function produceQuickly(): void {
  if (installed) return;
  installed = true;
  Encoder.prototype.ensureAvailable = growWithoutZeros;
  const protocolOf = produce.protocol;
  produce.protocol = (of) => {
    const make = protocolOf(of);
    return Number(of.version) < firstWithBatches ? make : (options) => quick(make(options), options);
  };
}

let installed = false;

/** What is around the record batches is still kafkajs's to write, and it copies them twice: into what it had filled with zeros. */
function growWithoutZeros(this: Encoder, length: number): void {
  const needed = this.offset + length;
  if (needed <= this.buf.length) return;
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.buf.length));
  this.buf.copy(larger, 0, 0, this.offset);
  this.buf = larger;
}

/** Of the produce request: before it there were message sets. */
const firstWithBatches = 3;

type Protocol = ReturnType<ReturnType<typeof produce.protocol>>;

function quick(made: Protocol, options: ProduceOptions): Protocol {
  if (!isOurs(options)) return made;
  const encode = (): Promise<Encoded> => Promise.resolve(encodedProduce(options, Date.now()));
  return { ...made, request: { ...made.request, encode } };
}

function isOurs({ compression, topicData }: ProduceOptions): boolean {
  return (
    (compression ?? 0) === 0 &&
    topicData.every(({ partitions }) => partitions.every(({ messages }) => messages.every(isPlain)))
  );
}

function isPlain({ key, value, headers, timestamp }: ProducedMessage): boolean {
  return (
    (timestamp === undefined || timestamp === null) &&
    (key === null || key === undefined || isText(key)) &&
    (value === null || isText(value)) &&
    (headers === undefined || Object.values(headers).every(isText))
  );
}

const isText = (value: unknown): value is Buffer | string =>
  typeof value === 'string' || Buffer.isBuffer(value);

/** As much of kafkajs's Encoder as the rest of the request is appended by. */
export interface Encoded {
  readonly buf: Buffer;
  readonly buffer: Buffer;
}

interface Part {
  readonly partition: number;
  readonly batch: OutgoingBatch;
  readonly size: number;
}

/**
 * ProduceRequest, versions 3 to 7 (kafka.apache.org/protocol#The_Messages_Produce): transactional_id acks timeout
 * [topic [partition record_set]].
 *
 * @param now milliseconds since 1970: the time of all records
 */
export function encodedProduce(options: ProduceOptions, now: number): Encoded {
  const { transactionalId, acks, timeout } = options;
  const topics = options.topicData.map(({ topic, partitions }) => ({
    topic,
    parts: partitions.map((entry) => partOf(entry, options, now)),
  }));
  let size = sizeOfText(transactionalId) + 2 + 4 + 4;
  for (const { topic, parts } of topics) {
    size += sizeOfText(topic) + 4;
    for (const part of parts) size += 8 + part.size;
  }
  const into = Buffer.allocUnsafe(size);
  let at = writeText(into, 0, transactionalId);
  at = into.writeInt16BE(acks, at);
  at = into.writeInt32BE(timeout, at);
  at = into.writeInt32BE(topics.length, at);
  for (const { topic, parts } of topics) {
    at = writeText(into, at, topic);
    at = into.writeInt32BE(parts.length, at);
    for (const part of parts) {
      at = into.writeInt32BE(part.partition, at);
      at = into.writeInt32BE(part.size, at);
      at = writeBatch(into, at, part.size, part.batch);
    }
  }
  return { buf: into, buffer: into };
}

function partOf(
  { partition, messages, firstSequence }: ProduceOptions['topicData'][number]['partitions'][number],
  { transactionalId, producerId, producerEpoch }: ProduceOptions,
  timestamp: number,
): Part {
  const batch = {
    records: messages as OutgoingBatch['records'],
    timestamp,
    transactional: (transactionalId ?? '') !== '',
    producerId: BigInt(producerId ?? -1),
    producerEpoch: producerEpoch ?? 0,
    firstSequence: firstSequence ?? 0,
  };
  return { partition, batch, size: sizeOfBatch(batch) };
}

function sizeOfText(text: string | null | undefined): number {
  return 2 + (text === null || text === undefined ? 0 : Buffer.byteLength(text));
}

function writeText(into: Buffer, at: number, text: string | null | undefined): number {
  if (text === null || text === undefined) return into.writeInt16BE(-1, at);
  const start = into.writeInt16BE(Buffer.byteLength(text), at);
  return start + into.write(text, start);
}
