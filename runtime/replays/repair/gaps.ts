import { missingOffsets } from '../../clickhouse/audit.js';
import type { ClickHouse } from '../../clickhouse/client.js';
import type { KafkaAccess } from '../../kafka/client/kafka-access.js';
import type { Sink } from '../../sink.js';
import { lastBefore, livePositions, logStartOf, runsOf, type PartitionPlan } from '../table/table-plan.js';

/** A gap that can't be filled from the topic, and the reason. */
export interface Unfillable {
  readonly partition: number;
  readonly offset: number;
  readonly reason: string;
}

export interface Gaps {
  /** Ranges of offsets without a row, to be read from the topic in order. The last offset must have a row. */
  readonly fillable: readonly PartitionPlan[];
  readonly unfillable: readonly Unfillable[];
}

/**
 * Finds the records that a table lacks, and which of them the topic still has. A row names only the record
 * before it, so a gap reaches back from a missing record to the last row that is there.
 */
export async function findGaps(
  { access, clickhouse }: { readonly access: KafkaAccess; readonly clickhouse: ClickHouse },
  sink: Sink,
  groupId: string,
): Promise<Gaps> {
  const fillable: PartitionPlan[] = [];
  const unfillable: Unfillable[] = [];
  const found = await missingOffsets(clickhouse, sink.table);
  if (found.length === 0) return { fillable, unfillable };
  const live = await livePositions(access, sink, groupId);
  for (const { partition, run, offsets } of found) {
    const liveRun = live.get(partition)?.metadata?.run;
    const current = liveRun ?? (await runsOf(clickhouse, sink, partition)).at(-1)?.run;
    const start = await logStartOf(access, sink, partition);
    let filledTo = 0;
    for (const offset of offsets) {
      const refuse = (reason: string): void => void unfillable.push({ partition, offset, reason });
      const before = await lastBefore(clickhouse, sink, partition, run, offset + 1);
      if (before === offset)
        refuse('only some of its rows are missing: `telltale replay table` rebuilds the table');
      else if (run !== current) refuse('its topic has been recreated since');
      else if (start > offset) refuse(`the topic now starts at ${start}`);
      else {
        const from = Math.max(before + 1, start, filledTo);
        // What the topic has lost remains a gap: the first row filled in still names a predecessor.
        const previous = from === before + 1 ? before : from - 1;
        fillable.push({ partition, run, from, to: offset + 1, previous });
        filledTo = offset + 1;
      }
    }
  }
  return { fillable, unfillable };
}
