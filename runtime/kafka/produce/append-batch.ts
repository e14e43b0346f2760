import { largestBatch } from '../../../topics/topic.js';
import type { EncodedRecord } from './records.js';

/** One caller's append: its stages go one after the other, each once the earlier is durable. */
export interface PendingAppend {
  readonly stages: readonly (readonly EncodedRecord[])[];
  readonly expiresAt: number;
  /** Index of the stage that is under way. */
  stage: number;
  /** Records of that stage that are not confirmed yet. */
  outstanding: number;
  /** Bytes of the stages that no batch has yet. */
  bytesAhead: number;
  /** The caller has its answer: what is not sent yet need not be. */
  settled: boolean;
  resolve(): void;
  reject(error: Error): void;
}

/** The catalogue's `max.message.bytes`, less what Kafka and a dead letter's headers add around one record. */
export const largestRecord = largestBatch - 16 * 1024;

/** What a record adds to a batch beside its key and value: lengths, deltas, an empty list of headers. */
const recordOverhead = 24;

export function sizeOf({ key, value, headers }: EncodedRecord): number {
  let bytes = recordOverhead + (value?.length ?? 0);
  if (key !== null) bytes += typeof key === 'string' ? Buffer.byteLength(key) : key.length;
  if (headers === undefined) return bytes;
  for (const [name, text] of Object.entries(headers)) bytes += 4 + name.length + Buffer.byteLength(text);
  return bytes;
}

/** Records that go to Kafka in one request, and the appends that wait for them. */
export class Batch {
  private entries: Entry[] = [];
  bytes = 0;

  /** A record that is larger than the limit goes alone. */
  takes(bytes: number, limit: number): boolean {
    return this.entries.length === 0 || this.bytes + bytes <= limit;
  }

  add(owner: PendingAppend, record: EncodedRecord, bytes: number): void {
    this.entries.push({ owner, record, bytes });
    this.bytes += bytes;
  }

  get size(): number {
    return this.entries.length;
  }

  /** What is to be sent. */
  get records(): EncodedRecord[] {
    return this.entries.map(({ record }) => record);
  }

  /** The appends that wait, once a record. */
  get owners(): PendingAppend[] {
    return this.entries.map(({ owner }) => owner);
  }

  /** Takes out the records of callers that have their answer; returns their bytes. */
  dropSettled(): number {
    return this.split((_, { settled }) => settled).bytes;
  }

  /** Takes out those of which this holds. */
  split(isPart: (record: EncodedRecord, owner: PendingAppend) => boolean): Batch {
    const part = new Batch();
    if (!this.entries.some(({ record, owner }) => isPart(record, owner))) return part;
    const rest: Entry[] = [];
    for (const entry of this.entries) {
      if (!isPart(entry.record, entry.owner)) rest.push(entry);
      else part.add(entry.owner, entry.record, entry.bytes);
    }
    this.entries = rest;
    this.bytes -= part.bytes;
    return part;
  }
}

interface Entry {
  readonly owner: PendingAppend;
  readonly record: EncodedRecord;
  readonly bytes: number;
}
