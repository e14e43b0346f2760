import type { Metrics } from '../../runtime/metrics.js';
import type { SlowOperationItem } from '../../schemas/slow-operations.js';
import type { Collected } from './tail/collection.js';

export interface SlowLogInstruments {
  count(items: readonly SlowOperationItem[], leftOut: Collected['leftOut']): void;
}

export function slowLogInstruments(metrics: Metrics): SlowLogInstruments {
  const taken = metrics.counter(
    'telltale_agent_slow_operations_total',
    'Entries of slow logs that were handed over, by kind (search, indexing).',
    ['kind'],
  );
  const passedOver = metrics.counter(
    'telltale_agent_slow_operations_left_out_total',
    'Entries of slow logs that were skipped, by reason (over_limit, too_short, too_old, other_cluster, unreadable).',
    ['reason'],
  );
  const redactions = metrics.counter(
    'telltale_agent_slow_operations_redactions_total',
    'Values that scrubbing replaced in entries of slow logs.',
    [],
  );
  return {
    count(items, leftOut) {
      for (const { kind } of items) taken.inc({ kind });
      redactions.inc(
        {},
        items.reduce((sum, item) => sum + item.redactions, 0),
      );
      for (const [reason, count] of Object.entries(leftOut)) if (count > 0) passedOver.inc({ reason }, count);
    },
  };
}
