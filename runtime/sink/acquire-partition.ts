import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GroupConsumer } from '../kafka/consume/group-consumer.js';
import { queryTable } from './query-table.js';
import { retryUntilAvailable, type SinkEnvironment, type Assignment } from './environment.js';
import { decodeMetadata } from './intent.js';
import { dropLeftovers } from './refused-records.js';
import { startingPoint, type Findings, type LastRow, type RunStart } from './starting-point.js';

const staleReads = { tries: 10, pauseMs: 200 } as const;

/**
 * Finds the position of a partition. Only a member of the group's present generation calls it. Since that
 * generation began, the coordinator has refused commits of earlier ones, and those that it accepted are in
 * its log before this member's assignment. So the commit read here is the last one. A static member that
 * comes back has its predecessor's generation, but another member id, by which the coordinator refuses the
 * predecessor's commits. The table serves as a second check.
 */
export async function acquirePartition(
  environment: SinkEnvironment,
  group: Pick<GroupConsumer, 'position' | 'topicId'>,
  partition: number,
  assignment: Assignment,
): Promise<RunStart> {
  const { sink, logger } = environment;
  await retryUntilAvailable(environment, assignment, () => dropLeftovers(environment, partition));
  for (let tried = 1; ; tried++) {
    assignment.check();
    const position = await group.position(partition);
    const metadata = decodeMetadata(position.metadata);
    // A sink's commit names the run, and so the log.
    const log = metadata === undefined ? logOf(await group.topicId()) : '';
    const found = { ...position, metadata, isOfThisLog: log !== '' };
    const last = await lastRow(environment, assignment, partition, { ...found, log });
    const start = startingPoint({ ...found, lastRow: last });
    if (start.remark === 'committed-offset-is-stale' && tried < staleReads.tries) {
      await sleep(staleReads.pauseMs);
      continue;
    }
    if (start.remark !== undefined) {
      logger.warn(
        {
          event: 'sink-position-mismatch',
          sink: sink.name,
          partition,
          remark: start.remark,
          committed: found.committed,
          lastRow: last,
          next: start.next,
        },
        "the group's position does not fit the table or the log",
      );
    }
    return { ...start, run: start.run ?? `${log}${randomUUID().slice(0, 8)}` };
  }
}

/** The prefix of all runs of a log; empty if the topic has no id. */
const logOf = (topicId: string | undefined): string =>
  topicId === undefined ? '' : `${topicId.slice(0, 8)}-`;

/**
 * The last row, as far as it can matter. A large table is not read completely: its index `by_offset` excludes
 * rows before a bound, and few rows follow the commit.
 *
 * No row is missed. The bound is the commit that was read, and every row from there on counts, however far
 * the commit is behind the table. If a sink wrote the commit, it names the row before (`previous`), and
 * earlier rows decide nothing. Rows of another run belong to another log: the offsets of a recreated topic
 * start at 0 again. If no sink wrote the commit, or there is none, rows before the bound matter only if there
 * are none after it: then all rows of this log are considered.
 */
async function lastRow(
  environment: SinkEnvironment,
  assignment: Assignment,
  partition: number,
  { committed, metadata, logStart, log }: Omit<Findings, 'lastRow'> & { readonly log: string },
): Promise<LastRow | undefined> {
  const { sink } = environment;
  const lastFrom = async (from: number): Promise<LastRow | undefined> => {
    const [row] = await queryTable<{ rows: string; offset: string; run: string }>(
      environment,
      assignment,
      `SELECT count() AS rows, max(_offset) AS offset, argMax(_run, _offset) AS run FROM ${sink.table}
       WHERE _topic = {topic:String} AND _partition = {partition:UInt32} AND _offset >= {from:UInt64}
         AND ${metadata === undefined ? 'startsWith(_run, {run:String})' : '_run = {run:String}'}`,
      { topic: sink.from.name, partition, from, run: metadata?.run ?? log },
    );
    return row === undefined || Number(row.rows) === 0
      ? undefined
      : { offset: Number(row.offset), run: row.run };
  };
  const bound = committed < 0 ? logStart : committed;
  const last = await lastFrom(bound);
  return last !== undefined || metadata !== undefined || bound === 0 ? last : lastFrom(0);
}
