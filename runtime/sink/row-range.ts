import { RowBytes } from './row-bytes.js';
import type { DeadRecord, SinkRecord, SourceMessage } from './sink-record.js';

/** What the rows of a partition have in common. */
export interface Provenance {
  readonly topic: string;
  readonly partition: number;
  /** Names the life of the log that the offsets belong to. */
  readonly run: string;
  /** Whether a record has several rows, which then have their place among them. */
  readonly indexed: boolean;
}

/**
 * The records of a range, and their rows as newline-delimited JSON, chained: each names the offset of the row before it.
 * Offsets alone prove no gap, as transactions leave holes; a chain does.
 */
export class RowRange {
  /** Those that have rows. */
  readonly sources: SourceMessage[] = [];
  readonly dead: DeadRecord[] = [];
  rows = 0;
  /** Offset of the last of its rows, or of the one before the range where it has none. */
  last: number;
  /** Offset of the last of its records, whatever became of it; undefined where there is none. */
  end: number | undefined;
  private readonly bytes = new RowBytes();
  private readonly upToOffset: string;
  private readonly upToPrevious: string;

  /** `previous` is the offset of the last row before the range, -1 where there is none. */
  constructor(
    private readonly provenance: Provenance,
    readonly previous: number,
  ) {
    const { topic, partition, run } = provenance;
    this.last = previous;
    this.upToOffset = `"_topic":${JSON.stringify(topic)},"_partition":${partition},"_offset":`;
    this.upToPrevious = `,"_run":${JSON.stringify(run)},"_previous_offset":`;
  }

  /** In bytes. */
  get length(): number {
    return this.bytes.length;
  }

  get ndjson(): readonly Buffer[] {
    return this.bytes.chunks;
  }

  get records(): number {
    return this.sources.length + this.dead.length;
  }

  get isEmpty(): boolean {
    return this.end === undefined;
  }

  add(record: SinkRecord): void {
    this.end = record.offset;
    if (record.kind === 'dead') {
      this.dead.push(record);
      return;
    }
    const { json, offset, source } = record;
    this.sources.push(source);
    const of = json.length;
    if (of === 0) return;
    const chain = `${this.upToPrevious}${this.last}}\n`;
    for (let index = 0; index < of; index++) {
      const text = json[index] ?? '';
      const place = this.provenance.indexed ? `,"_index":${index},"_rows":${of}` : '';
      const comma = text.length > 2 ? ',' : '';
      this.bytes.writeObject(text, `${comma}${this.upToOffset}${offset}${place}${chain}`);
    }
    this.rows += of;
    this.last = offset;
  }

  /** A record of the range that the range goes without. */
  leaveOut(offset: number): void {
    this.end = offset;
  }
}

export function rangeOf(provenance: Provenance, previous: number, records: Iterable<SinkRecord>): RowRange {
  const range = new RowRange(provenance, previous);
  for (const record of records) range.add(record);
  return range;
}
