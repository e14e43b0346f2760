import { timestamp } from '../../runtime/clickhouse/timestamp.js';
import type { Sink } from '../../runtime/sink.js';
import type { SlowOperation } from '../../schemas/generated/slow-operation.js';
import { slowOperations } from '../../topics/clusters.js';

/** clusters.slow-operations → telltale.slow_operations: one row an entry; its fields are the columns. */
export const slowOperationsSink: Sink<SlowOperation> = {
  name: 'slow-operations',
  from: slowOperations,
  table: 'telltale.slow_operations',
  row: ({ value }) => ({
    ...value,
    at: timestamp(value.at),
    received_at: timestamp(value.received_at),
  }),
};
