import { timestamp } from '../../runtime/clickhouse/timestamp.js';
import type { Row, SinkOfRows } from '../../runtime/sink.js';
import type { ClusterRows } from '../../schemas/generated/cluster-rows.js';
import { kindOf } from '../../schemas/cluster-rows/kinds.js';
import type { Topic } from '../../topics/topic.js';

/**
 * A sink of rows that the processor has made: the columns that the table has, and of which snapshot they are. A field
 * without a column (a newer processor's) is left out; an absent one is null.
 */
export function rowsSink(declared: {
  readonly name: string;
  readonly from: Topic<ClusterRows>;
  readonly table: string;
  readonly columns: readonly string[];
  readonly more?: (record: ClusterRows) => Row;
}): SinkOfRows<ClusterRows> {
  const { name, from, table, columns, more } = declared;
  return {
    name,
    from,
    table,
    rows({ value }) {
      const header = { ...headerOf(value), ...more?.(value) };
      return (JSON.parse(value.rows) as Row[]).map((row) => ({ ...header, ...columnsOf(row, columns) }));
    },
  };
}

function columnsOf(row: Row, columns: readonly string[]): Row {
  const picked: Record<string, unknown> = {};
  for (const column of columns) {
    const value = row[column];
    if (value === undefined || value === null) continue;
    picked[column] = kindOf(column) === 'moment' ? moment(Number(value)) : value;
  }
  return picked;
}

const moment = (milliseconds: number): string => timestamp(milliseconds * 1_000);

function headerOf(value: ClusterRows): Row {
  return {
    workspace: value.workspace,
    cluster_uuid: value.cluster_uuid,
    cluster_name: value.cluster_name,
    cluster_version: value.cluster_version,
    section: value.section,
    slot: moment(value.slot),
    interval_seconds: value.interval_seconds,
    taken_at: moment(value.taken_at),
    snapshot_id: value.id,
    reporter: value.reporter,
    part: value.part,
    parts: value.parts,
    partial: value.partial,
  };
}
