import type { ClickHouse } from '../../clickhouse/client.js';
import type { KafkaAccess } from '../../kafka/client/kafka-access.js';
import { readCommits } from '../../kafka/consume/group-consumer.js';
import { logStart, openLog } from '../../kafka/consume/log-access.js';
import { wholeLog } from '../../kafka/consume/read-log.js';
import type { Sink } from '../../sink.js';
import { decodeMetadata, type CommitMetadata } from '../../sink/intent.js';
import type { Piece } from './table-progress.js';

/** A bound of the request: a time (milliseconds since 1970), or an offset in every partition. */
export type ReplayBound = { readonly time: number } | { readonly offset: number };

/** A partition that is read again. */
export interface PartitionPlan {
  readonly partition: number;
  /** The run of the live sink's rows: those of the replay take their places in its chain. */
  readonly run: string;
  readonly from: number;
  /** Exclusive. The rows from there on are copied from the table. */
  readonly to: number;
  /** Offset of the last row before `from`; -1 if there is none. */
  readonly previous: number;
}

/** The positions of the live sink: it has stored everything before them. */
export async function livePositions(
  access: KafkaAccess,
  sink: Sink,
  groupId: string,
): Promise<ReadonlyMap<number, { readonly next: number; readonly metadata: CommitMetadata | undefined }>> {
  const commits = await readCommits(access, { groupId, topic: sink.from.name });
  return new Map(
    commits.map(({ partition, committed, metadata }) => [
      partition,
      { next: committed, metadata: decodeMetadata(metadata) },
    ]),
  );
}

/** The partitions with records to read again, up to the position of the live sink, which does the rest. */
export async function planTable(
  { access, clickhouse }: { readonly access: KafkaAccess; readonly clickhouse: ClickHouse },
  sink: Sink,
  groupId: string,
  bounds: { readonly from?: ReplayBound; readonly to?: ReplayBound },
): Promise<readonly PartitionPlan[]> {
  const live = await livePositions(access, sink, groupId);
  const log = openLog(sink.from.name, access);
  try {
    await log.refresh();
    const whole = await wholeLog(log);
    const offsetAt = async (bound: ReplayBound | undefined): Promise<ReadonlyMap<number, number>> => {
      if (bound === undefined || 'offset' in bound)
        return new Map(log.partitions.map((id) => [id, bound?.offset ?? -1]));
      return log.offsets(new Map(log.partitions.map((id) => [id, bound.time])));
    };
    const [froms, tos] = [await offsetAt(bounds.from), await offsetAt(bounds.to)];
    const plans: PartitionPlan[] = [];
    for (const [partition, { from: start, to: end }] of whole) {
      const known = live.get(partition);
      const runs = await runsOf(clickhouse, sink, partition);
      const run = known?.metadata?.run ?? runs.at(-1)?.run;
      if (known === undefined || known.next < 0 || run === undefined) continue;
      const asked = froms.get(partition) ?? -1;
      // A time after the last record has no offset: no record is that new.
      const first = bounds.from !== undefined && asked < 0 ? end : Math.max(start, asked);
      const last = tos.get(partition) ?? -1;
      const to = Math.min(known.next, end, last < 0 ? end : last);
      if (first >= to) continue;
      const previous = await lastBefore(clickhouse, sink, partition, run, first);
      plans.push({ partition, run, from: first, to, previous });
    }
    return plans;
  } finally {
    await log.close().catch(() => undefined);
  }
}

/** The first offset that the partition still has. */
export async function logStartOf(access: KafkaAccess, { from }: Sink, partition: number): Promise<number> {
  const log = openLog(from.name, access);
  try {
    await log.refresh();
    return (await log.offsets(new Map([[partition, logStart]]))).get(partition) ?? 0;
  } finally {
    await log.close().catch(() => undefined);
  }
}

/** The runs of a partition's log that have rows in the table. */
export async function runsOf(
  clickhouse: ClickHouse,
  { table }: Sink,
  partition?: number,
): Promise<readonly { readonly partition: number; readonly run: string }[]> {
  const rows = await clickhouse.query<{ partition: number; run: string }>(
    `SELECT _partition AS partition, _run AS run FROM ${table}
     ${partition === undefined ? '' : `WHERE _partition = ${partition}`}
     GROUP BY partition, run ORDER BY partition, max(_offset)`,
  );
  return rows;
}

export async function lastBefore(
  clickhouse: ClickHouse,
  { table }: Sink,
  partition: number,
  run: string,
  offset: number,
): Promise<number> {
  const [found] = await clickhouse.query<{ last: string | null }>(
    `SELECT maxOrNull(_offset) AS last FROM ${table}
     WHERE _partition = {partition:UInt16} AND _run = {run:String} AND _offset < {offset:UInt64}`,
    { partition, run, offset },
  );
  return found?.last === null || found === undefined ? -1 : Number(found.last);
}

/** The first pieces to copy: the rows before those that are read again, of every run of the log. */
export async function piecesBefore(
  clickhouse: ClickHouse,
  sink: Sink,
  plan: readonly PartitionPlan[],
): Promise<readonly Piece[]> {
  const runs = await runsOf(clickhouse, sink);
  return runs.flatMap(({ partition, run }) => {
    const planned = plan.find((one) => one.partition === partition && one.run === run);
    return planned === undefined || planned.from === 0 ? [] : [{ partition, run, from: 0, to: planned.from }];
  });
}
