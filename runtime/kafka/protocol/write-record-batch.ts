/** A record to be written; null and absent fields are written as null. */
export interface BatchRecord {
  readonly key?: Buffer | string | null;
  readonly value: Buffer | string | null;
  readonly headers?: Readonly<Record<string, Buffer | string>>;
}

/** The records for one partition in a request, and their sender. */
interface OutgoingBatch {
  readonly records: readonly BatchRecord[];
  /** The timestamp of all records, milliseconds since 1970. */
  readonly timestamp: number;
  readonly transactional: boolean;
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly firstSequence: number;
}

/**
 * Kafka's record batch, magic 2, uncompressed (kafka.apache.org/documentation/#recordbatch): the same bytes that
 * kafkajs writes for these records. kafkajs allocates a buffer for each record, copies what it has written five times,
 * and counts with BigInt.
 */
const headBytes = 61;
const crcAt = 17;
const attributesAt = 21;
const transactionalBit = 16;

/** Size of the batch in bytes. */
export function sizeOfBatch({ records }: OutgoingBatch): number {
  let size = headBytes;
  for (let index = 0; index < records.length; index++) {
    const record = records[index];
    if (record === undefined) continue;
    const body = sizeOfBody(record, index);
    size += sizeOfVarint(body) + body;
  }
  return size;
}

/** Writes the batch, `size` bytes long, at `start`; returns its end. */
export function writeBatch(into: Buffer, start: number, size: number, batch: OutgoingBatch): number {
  const { records, timestamp, transactional, producerId, producerEpoch, firstSequence } = batch;
  into.writeBigInt64BE(0n, start); // base offset: the broker assigns it
  into.writeInt32BE(size - 12, start + 8);
  into.writeInt32BE(0, start + 12); // partition leader epoch: the broker assigns it too
  into.writeInt8(2, start + 16);
  into.writeInt16BE(transactional ? transactionalBit : 0, start + attributesAt);
  into.writeInt32BE(records.length - 1, start + 23);
  const time = BigInt(timestamp);
  into.writeBigInt64BE(time, start + 27);
  into.writeBigInt64BE(time, start + 35);
  into.writeBigInt64BE(producerId, start + 43);
  into.writeInt16BE(producerEpoch, start + 51);
  into.writeInt32BE(firstSequence, start + 53);
  into.writeInt32BE(records.length, start + 57);
  let at = start + headBytes;
  for (let index = 0; index < records.length; index++) {
    const record = records[index];
    if (record !== undefined) at = writeRecord(into, at, record, index);
  }
  into.writeUInt32BE(crc32c(into, start + attributesAt, at), start + crcAt);
  return at;
}

/** The attributes and the timestamp's delta are always 0: one byte each. */
function sizeOfBody({ key, value, headers }: BatchRecord, offsetDelta: number): number {
  return 2 + sizeOfVarint(offsetDelta) + sizeOfField(key) + sizeOfField(value) + sizeOfHeaders(headers);
}

function writeRecord(into: Buffer, start: number, record: BatchRecord, offsetDelta: number): number {
  let at = writeVarint(into, start, sizeOfBody(record, offsetDelta));
  into[at] = 0;
  into[at + 1] = 0;
  at = writeVarint(into, at + 2, offsetDelta);
  at = writeField(into, at, record.key);
  at = writeField(into, at, record.value);
  if (record.headers === undefined) return writeVarint(into, at, 0);
  const headers = Object.entries(record.headers);
  at = writeVarint(into, at, headers.length);
  for (const [name, value] of headers) at = writeField(into, writeField(into, at, name), value);
  return at;
}

function sizeOfHeaders(headers: BatchRecord['headers']): number {
  if (headers === undefined) return 1;
  const entries = Object.entries(headers);
  let size = sizeOfVarint(entries.length);
  for (const [name, value] of entries) size += sizeOfField(name) + sizeOfField(value);
  return size;
}

function sizeOfField(field: Buffer | string | null | undefined): number {
  if (field === null || field === undefined) return 1;
  const length = typeof field === 'string' ? Buffer.byteLength(field) : field.length;
  return sizeOfVarint(length) + length;
}

function writeField(into: Buffer, start: number, field: Buffer | string | null | undefined): number {
  if (field === null || field === undefined) {
    into[start] = zigzagOfMinusOne;
    return start + 1;
  }
  if (typeof field === 'string') {
    const at = writeVarint(into, start, Buffer.byteLength(field));
    return at + into.write(field, at);
  }
  const at = writeVarint(into, start, field.length);
  into.set(field, at);
  return at + field.length;
}

const zigzagOfMinusOne = 1;

/** For numbers from 0 to 2^30, which zigzag doubles. */
function sizeOfVarint(value: number): number {
  let bytes = 1;
  for (let left = value >>> 6; left !== 0; left >>>= 7) bytes += 1;
  return bytes;
}

function writeVarint(into: Buffer, start: number, value: number): number {
  let at = start;
  let left = value << 1;
  for (; left > 0x7f; left >>>= 7) into[at++] = (left & 0x7f) | 0x80;
  into[at] = left;
  return at + 1;
}

/**
 * CRC-32C (Castagnoli, RFC 3720 appendix B.4), which guards Kafka's record batches: eight bytes at a time, by eight
 * tables (M. E. Kounavis, F. L. Berry: "Novel table lookup-based algorithms for high-performance CRC generation").
 */
export function crc32c(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let crc = -1;
  let at = from;
  for (; at + 8 <= to; at += 8) {
    crc ^= byte(bytes, at) | (byte(bytes, at + 1) << 8) | (byte(bytes, at + 2) << 16);
    crc ^= byte(bytes, at + 3) << 24;
    crc =
      entry((7 << 8) | (crc & 0xff)) ^
      entry((6 << 8) | ((crc >>> 8) & 0xff)) ^
      entry((5 << 8) | ((crc >>> 16) & 0xff)) ^
      entry((4 << 8) | (crc >>> 24)) ^
      entry((3 << 8) | byte(bytes, at + 4)) ^
      entry((2 << 8) | byte(bytes, at + 5)) ^
      entry((1 << 8) | byte(bytes, at + 6)) ^
      entry(byte(bytes, at + 7));
  }
  for (; at < to; at++) crc = entry((crc ^ byte(bytes, at)) & 0xff) ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** The polynomial 0x1EDC6F41, its bits reversed. */
const polynomial = 0x82f63b78;

/** Eight tables of 256 entries, one after another: the n-th is for a byte followed by n others. */
const tables = new Int32Array(8 * 256);
for (let value = 0; value < 256; value++) {
  let remainder = value;
  for (let bit = 0; bit < 8; bit++)
    remainder = (remainder & 1) === 1 ? (remainder >>> 1) ^ polynomial : remainder >>> 1;
  tables[value] = remainder;
}
for (let at = 256; at < tables.length; at++) {
  const before = entry(at - 256);
  tables[at] = (before >>> 8) ^ entry(before & 0xff);
}

// Both indices are always in range: the fallbacks satisfy the compiler, and cost nothing measurable.
function entry(at: number): number {
  return tables[at] ?? 0;
}

function byte(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}
