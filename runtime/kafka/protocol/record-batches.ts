import compression from 'kafkajs/src/protocol/message/compression/index.js';

/**
 * Decodes Kafka's record batches (magic 2) straight from a fetch response. kafkajs's own decoder drops batches that
 * compaction has emptied, so that a reader could never get past one; it also allocates half a dozen objects and strings
 * for each record.
 */
export interface RecordBatch {
  readonly baseOffset: number;
  /** The offset after this batch: after its control records, and after records that compaction has removed from it. */
  readonly nextOffset: number;
  /** The latest timestamp of its records, control records included: milliseconds since 1970. */
  readonly maxTimestamp: number;
  readonly producerId: bigint;
  readonly transactional: boolean;
  /** Set for a control batch: how the transaction of this producer ended. */
  readonly control: 'commit' | 'abort' | undefined;
  readonly records: readonly LogRecord[];
}

export interface LogRecord {
  readonly offset: number;
  /** Milliseconds since 1970, as the topic defines it (ours: log-append time). */
  readonly timestamp: number;
  readonly key: Buffer | null;
  /** Null is a tombstone. Points into the response: copy what is to be kept. */
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
}

const noHeaders: LogRecord['headers'] = {};

const headerBytes = 61;
const bytesBeforeLengthEnds = 12;
const attribute = { logAppendTime: 0x08, transactional: 0x10, control: 0x20, codec: 0x07 } as const;

/** All complete batches of a partition in a response; the size limit may have cut off the last one. */
export async function decodeBatches(bytes: Buffer): Promise<RecordBatch[]> {
  const batches: RecordBatch[] = [];
  let at = 0;
  while (at + headerBytes <= bytes.length) {
    const end = at + bytesBeforeLengthEnds + bytes.readInt32BE(at + 8);
    if (end > bytes.length) break;
    batches.push(await decodeBatch(bytes.subarray(at, end)));
    at = end;
  }
  return batches;
}

async function decodeBatch(bytes: Buffer): Promise<RecordBatch> {
  const magic = bytes.readInt8(16);
  if (magic !== 2)
    throw new RangeError(`Record batches of version ${magic} are not known (Kafka before 0.11)`);
  const attributes = bytes.readInt16BE(21);
  const baseOffset = Number(bytes.readBigInt64BE(0));
  const maxTimestamp = Number(bytes.readBigInt64BE(35));
  const header: BatchHeader = {
    baseOffset,
    baseTimestamp: Number(bytes.readBigInt64BE(27)),
    appendTimestamp: (attributes & attribute.logAppendTime) === 0 ? undefined : maxTimestamp,
    count: bytes.readInt32BE(57),
  };
  const codec = compression.lookupCodecByAttributes(attributes & attribute.codec);
  const packed = bytes.subarray(headerBytes);
  const records = decodeRecords(codec === null ? packed : await codec.decompress(packed), header);
  const isControl = (attributes & attribute.control) !== 0;
  return {
    baseOffset,
    nextOffset: baseOffset + bytes.readInt32BE(23) + 1,
    maxTimestamp,
    producerId: bytes.readBigInt64BE(43),
    transactional: (attributes & attribute.transactional) !== 0,
    control: isControl ? controlOf(records[0]) : undefined,
    records: isControl ? [] : records,
  };
}

/** A control record's key is its version and its type, 16 bits each; type 1 commits. Other types end no transaction. */
function controlOf(record: LogRecord | undefined): RecordBatch['control'] {
  const type = record?.key?.readInt16BE(2);
  return type === 1 ? 'commit' : type === 0 ? 'abort' : undefined;
}

interface BatchHeader {
  readonly baseOffset: number;
  readonly baseTimestamp: number;
  readonly appendTimestamp: number | undefined;
  readonly count: number;
}

function decodeRecords(bytes: Buffer, header: BatchHeader): LogRecord[] {
  const cursor = new VarintCursor(bytes);
  const records: LogRecord[] = [];
  for (let index = 0; index < header.count; index++) {
    const length = cursor.varint();
    const end = cursor.at + length;
    cursor.at += 1; // a record's attributes are unused
    const timestampDelta = cursor.varint();
    const offset = header.baseOffset + cursor.varint();
    const key = cursor.bytes();
    const value = cursor.bytes();
    const headers = decodeHeaders(cursor);
    cursor.at = end;
    records.push({
      offset,
      timestamp: header.appendTimestamp ?? header.baseTimestamp + timestampDelta,
      key,
      value,
      headers,
    });
  }
  return records;
}

/** The same object for all records without headers: most have none, and views read millions of them. */
function decodeHeaders(cursor: VarintCursor): LogRecord['headers'] {
  const count = cursor.varint();
  if (count === 0) return noHeaders;
  const headers: Record<string, string> = {};
  for (let index = 0; index < count; index++) {
    const name = cursor.bytes()?.toString() ?? '';
    headers[name] = cursor.bytes()?.toString() ?? '';
  }
  return headers;
}

class VarintCursor {
  at = 0;
  constructor(private readonly buffer: Buffer) {}

  /** Zigzag, base 128. Multiplies instead of shifting, because a timestamp's delta may need more than 32 bits. */
  varint(): number {
    let value = 0;
    let scale = 1;
    let byte: number;
    do {
      byte = this.buffer[this.at++] ?? 0;
      value += (byte & 0x7f) * scale;
      scale *= 128;
    } while (byte >= 0x80);
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  bytes(): Buffer | null {
    const length = this.varint();
    if (length < 0) return null;
    const start = this.at;
    this.at += length;
    return this.buffer.subarray(start, this.at);
  }
}

/**
 * Decides which records of a partition are final, as early as that can be known: records outside a transaction at once,
 * records of a transaction when its commit marker comes, those of an aborted one never. Kafka's own read-committed
 * fetch stops at the first open transaction. A task accepted now would then stay invisible until earlier work on other
 * tasks of its partition is committed, and for as long as a crashed processor's transaction stays open.
 */
export class OpenTransactions {
  private readonly open = new Map<bigint, OpenTransaction>();

  /** Returns the records that this batch makes final. */
  settle(batch: RecordBatch, fromOffset: number): readonly LogRecord[] {
    if (batch.control !== undefined) {
      const ended = this.open.get(batch.producerId);
      this.open.delete(batch.producerId);
      return batch.control === 'commit' ? (ended?.records ?? []) : [];
    }
    const records =
      batch.baseOffset >= fromOffset
        ? batch.records
        : batch.records.filter(({ offset }) => offset >= fromOffset);
    if (!batch.transactional) return records;
    const transaction = this.open.get(batch.producerId);
    if (transaction === undefined) {
      this.open.set(batch.producerId, { firstOffset: batch.baseOffset, records: [...records] });
    } else {
      transaction.records.push(...records);
    }
    return [];
  }

  /** Whether an open transaction has a record of this key. */
  holds(key: string): boolean {
    if (this.open.size === 0) return false;
    const wanted = Buffer.from(key);
    for (const { records } of this.open.values())
      if (records.some((record) => record.key?.equals(wanted) === true)) return true;
    return false;
  }

  /** Where a reader must restart to miss nothing: before the oldest open transaction. */
  restartAt(position: number): number {
    let earliest = position;
    for (const { firstOffset } of this.open.values()) earliest = Math.min(earliest, firstOffset);
    return earliest;
  }

  /** When the oldest record of an open transaction was appended, milliseconds since 1970; undefined without one. */
  openSince(): number | undefined {
    const [oldest] = [...this.open.values()].sort((a, b) => a.firstOffset - b.firstOffset);
    return oldest?.records[0]?.timestamp;
  }
}

interface OpenTransaction {
  readonly firstOffset: number;
  readonly records: LogRecord[];
}
