import type { WriterSchema } from '../registry/writer-schemas.js';
import type { DeadRecord, SinkRecord, StoredRecord } from './sink-record.js';

/** The records of a range: those that one insert stores, and those that become dead letters before it. */
export class RecordRange {
  readonly stored: StoredRecord[] = [];
  readonly dead: DeadRecord[] = [];
  /** Offset of the last of its records, stored or not; undefined if there is none. */
  end: number | undefined;
  /** The size of the values that are stored. */
  bytes = 0;

  /** A range has one writer's schema, because its values are sent in one container. */
  admits(record: SinkRecord): boolean {
    const schema = this.schema;
    return record.kind === 'dead' || schema === undefined || record.schema.id === schema.id;
  }

  get schema(): WriterSchema | undefined {
    return this.stored[0]?.schema;
  }

  get records(): number {
    return this.stored.length + this.dead.length;
  }

  get isEmpty(): boolean {
    return this.end === undefined;
  }

  /** Offset of the last record that has rows, or `previous` if the range has none. */
  lastStored(previous: number): number {
    return this.stored.at(-1)?.offset ?? previous;
  }

  add(record: SinkRecord): void {
    this.end = record.offset;
    if (record.kind === 'dead') {
      this.dead.push(record);
      return;
    }
    this.stored.push(record);
    this.bytes += record.value.length;
  }

  /** Excludes a record from the range. */
  leaveOut(offset: number): void {
    this.end = offset;
  }
}

export function rangeOf(records: Iterable<SinkRecord>): RecordRange {
  const range = new RecordRange();
  for (const record of records) range.add(record);
  return range;
}
