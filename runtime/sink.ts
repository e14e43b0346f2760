import type { Topic } from '../topics/topic.js';
import type { IncomingRecord } from './kafka/records.js';

/** A sink: topic → table. `row` is pure: the same record always gives the same row, or a retry would not be recognised. */
export interface Sink<In> {
  readonly name: string;
  readonly from: Topic<In>;
  /** `database.table`. */
  readonly table: string;
  /** Column values by name; the loop adds `_topic`, `_partition`, `_offset` and `_previous_offset`. */
  row(record: IncomingRecord<In>): Readonly<Record<string, unknown>>;
}
