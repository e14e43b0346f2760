import { readFileSync } from 'node:fs';
import type { Topic } from '../topics/topic.js';
import type { RowsPerRecord } from './clickhouse/audit.js';

/**
 * A sink: topic → table. The mapping is one SQL statement, `INSERT INTO telltale.{table:Identifier} … SELECT
 * … FROM input(…) FORMAT Avro`. It reads the fields of the topic's schema, and those that the loop puts
 * before them: `_offset`, `_previous_offset` (of the record before, -1 for none) and `_appended_at`.
 * `{topic:String}`, `{partition:UInt16}` and `{run:String}` name the log. If a record can have several rows,
 * it has at least one, and each has its `_index`, from 0, and `_rows`.
 */
export interface Sink {
  readonly name: string;
  readonly from: Topic;
  /** A table of the database `telltale`, as `telltale.table`. */
  readonly table: string;
  readonly rowsPerRecord: RowsPerRecord;
  /** Columns whose values no two records share, for the audit; absent if a client can send the same twice. */
  readonly id?: string;
  readonly insert: string;
  /** Set if an earlier version sorted the table differently: a replay of the table sorts it like this. */
  readonly order?: TableOrder;
}

export interface TableOrder {
  /** The content of the parentheses of ORDER BY. */
  readonly by: string;
  /** Projections that had the rows in this order, and are no longer needed. */
  readonly replaces: readonly string[];
}

/** A sink's statement, from the file next to its migrations. Anything after FORMAT would be read as data. */
export function readInsert(file: URL): string {
  return readFileSync(file, 'utf8').trimEnd();
}
