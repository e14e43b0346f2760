import type { Topic } from '../topics/topic.js';
import type { IncomingRecord } from './kafka/records.js';

interface SinkDeclaration<In> {
  readonly name: string;
  readonly from: Topic<In>;
  /** `database.table`. */
  readonly table: string;
}

/**
 * A sink: topic → table, one row a record. `row` is pure: the same record always gives the same row, or a retry would
 * not be recognised.
 */
export interface Sink<In> extends SinkDeclaration<In> {
  /** One row; the loop adds `_topic`, `_partition`, `_offset`, `_run` and `_previous_offset`. */
  row(record: IncomingRecord<In>): Row | string;
}

/** A sink whose records make several rows each, and at least one. */
export interface SinkOfRows<In> extends SinkDeclaration<In> {
  /**
   * As `row`; the loop also adds `_index` (of the row within its record, from 0) and `_rows` (how many its record has).
   */
  rows(record: IncomingRecord<In>): readonly (Row | string)[];
}

/**
 * Column values by name. In its place a sink may give the text of a JSON object, on one line and without space around
 * its braces: it costs less where there are many columns, and it can hold what an object of this language can't, keys
 * that are named twice and keys in the order of their own.
 */
export type Row = Readonly<Record<string, unknown>>;

export type AnySink<In> = Sink<In> | SinkOfRows<In>;
