import { isUtf8 } from 'node:buffer';
import { Problem } from '../../runtime/http/problem.js';
import { largestRecord, sizeOf, type EncodedRecord } from '../../runtime/kafka/produce/appender.js';
import { Slice } from '../../runtime/slice.js';
import { itemBounds, jsonExcess } from '../../schemas/json-bounds.js';
import type { IngestBatch } from '../../schemas/generated/ingest-batch.js';
import type { AgentDataset, BatchContext } from './dataset.js';

type RejectedItem = IngestBatch['rejected'][number];

/** What was read from a batch's lines. */
export interface ReadItems {
  /** The records of the accepted lines, in order. */
  readonly records: readonly EncodedRecord[];
  readonly recordBytes: number;
  readonly accepted: number;
  readonly rejectedCount: number;
  /** The first 20 rejected items, in order. */
  readonly rejected: readonly RejectedItem[];
}

const reasonsListed = 20;
const longestReason = 500;
/**
 * A resource that many traces share is written into each of their records. This limits the resulting growth.
 */
const mostRecordBytes = 32 * 1024 * 1024;
/** An agent sends at most 5,000 items at once by default. */
const mostItems = 20_000;
/** Each record is an object on its way to Kafka, however small it is. */
const mostRecords = 20_000;
const newline = 0x0a;

/**
 * Reads newline-delimited JSON into records, and skips blank lines. An invalid line does not affect the
 * others. Throws a Problem if the batch as a whole is too large: the agent then sends fewer items at once.
 */
export async function readItems(
  body: Buffer,
  dataset: AgentDataset,
  context: BatchContext,
): Promise<ReadItems> {
  const allUtf8 = isUtf8(body);
  const taken = new TakenItems();
  let index = 0;
  const slice = new Slice();
  for (let start = 0; start < body.length;) {
    const found = body.indexOf(newline, start);
    const line = body.subarray(start, found === -1 ? body.length : found);
    start += line.length + 1;
    const others = slice.pause();
    if (others !== undefined) await others;
    const text = allUtf8 || isUtf8(line) ? line.toString('utf8') : undefined;
    if (text?.trim() === '') continue;
    if (index === mostItems) throw tooMany(`The batch has more than ${mostItems} items.`);
    const reason =
      text === undefined
        ? 'The line is not valid UTF-8.'
        : jsonExcess(line, itemBounds) !== undefined
          ? 'The line is nested too deeply for an item.'
          : take(text, dataset, context, taken);
    if (reason !== undefined) taken.reject(index, reason);
    index += 1;
  }
  return taken;
}

class TakenItems implements ReadItems {
  readonly records: EncodedRecord[] = [];
  readonly rejected: RejectedItem[] = [];
  recordBytes = 0;
  accepted = 0;
  rejectedCount = 0;

  /** Adds all records of an item, or none. Returns the reason if it adds none. */
  add(records: Iterable<EncodedRecord>): string | undefined {
    const before = { count: this.records.length, bytes: this.recordBytes };
    for (const record of records) {
      const size = sizeOf(record);
      if (size > largestRecord) {
        this.records.length = before.count;
        this.recordBytes = before.bytes;
        return `The item is too large: a record of it would have ${size} bytes; the limit is ${largestRecord}.`;
      }
      this.recordBytes += size;
      if (this.recordBytes > mostRecordBytes)
        throw tooMany(`The stored records would exceed ${mostRecordBytes} bytes.`);
      if (this.records.length === mostRecords)
        throw tooMany(`The items would be stored as more than ${mostRecords} records.`);
      this.records.push(record);
    }
    this.accepted += 1;
    return undefined;
  }

  reject(index: number, reason: string): void {
    this.rejectedCount += 1;
    if (this.rejected.length < reasonsListed)
      this.rejected.push({ index, detail: reason.slice(0, longestReason) });
  }
}

function tooMany(reason: string): Problem {
  return new Problem('body-too-large', `${reason} Send fewer at once.`);
}

/** Returns the reason if the line is rejected. */
function take(
  line: string,
  dataset: AgentDataset,
  context: BatchContext,
  taken: TakenItems,
): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'The line is not valid JSON.';
  }
  const parsed = dataset.parse(value, context.receivedAt);
  return 'item' in parsed ? taken.add(dataset.records(parsed.item, context)) : parsed.reason;
}
