import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf, type TelltaleError } from '../errors.js';
import type { AssignedBatch } from '../kafka/consume/assigned-batch.js';
import { bugIn } from '../kafka/consume/bugs.js';
import { whileHeartbeating } from '../kafka/consume/heartbeats.js';
import type { Assignments } from './assignments.js';
import type { SinkEnvironment, Assignment } from './environment.js';
import { encodeMetadata } from './intent.js';
import type { PartitionSink } from './partition-sink.js';
import type { Commit } from './partition-work.js';

const failurePauseMs = 200;
/** A partition rests so long for each record that it brought. */
const restMsARecord = 5;
/** A shorter rest would cost a lone record more than it gathers: a fetch under way does not look for it. */
const leastRestMs = 100;

/** What a batch may ask of the loop around it. */
export interface LoopActions {
  readonly fatal: (error: TelltaleError) => void;
  readonly seek: (partition: number, offset: number) => void;
  readonly logStart: (partition: number) => Promise<number>;
  /** How long a partition may rest after it has been emptied, so that more records gather. */
  readonly mostRestMs: number;
}

/** Hands a batch to its partition's sink; whatever fails is begun again from what is committed. */
export async function eachBatch(
  batch: AssignedBatch,
  environment: SinkEnvironment,
  assignments: Assignments,
  actions: LoopActions,
): Promise<void> {
  const { partition } = batch;
  const assignment = assignments.assignmentOf(partition);
  try {
    // A heartbeat that fails stops nothing here: the assignment does, and the heartbeat below says it again.
    await whileHeartbeating(batch, async () => {
      assignment.check();
      const taken = await assignments.of(partition, assignment);
      const records = await passOn(batch, taken, assignment, actions);
      rest(batch, Math.min(actions.mostRestMs, records * restMsARecord));
      return true;
    });
    environment.progressed();
  } catch (error) {
    assignments.drop(partition);
    const { sink, logger } = environment;
    const bug = bugIn(sink.name, error);
    if (bug !== undefined) {
      actions.fatal(bug);
      throw bug;
    }
    logger.warn(
      { event: 'sink-batch-dropped', sink: sink.name, partition, reason: reasonOf(error) },
      'a batch was dropped; its partition is acquired anew',
    );
    await sleep(failurePauseMs);
  }
  // The library rejoins the group only when it sees this itself.
  await batch.heartbeat();
}

/** Fetches nothing of this partition for a while, so that its next insert has more rows; the other partitions go on. */
function rest(batch: AssignedBatch, ms: number): void {
  if (ms < leastRestMs || !batch.isRunning()) return;
  setTimeout(batch.pause(), ms).unref();
}

/**
 * Gives the number of records that had gathered since the partition was read before: the more they are, the longer the next may
 * gather, as an insert costs ClickHouse tens of milliseconds before its first row. None where more is known to be there.
 */
async function passOn(
  batch: AssignedBatch,
  taken: PartitionSink,
  assignment: Assignment,
  { seek, logStart }: LoopActions,
): Promise<number> {
  const { partition, records, end, fetchedFrom } = batch;
  if (fetchedFrom > taken.position) {
    // Fetched from beyond where the partition stands: never skip, unless there is nothing left to be read there.
    const start = await logStart(partition);
    if (start > taken.position) taken.skipTo(start);
    if (fetchedFrom > taken.position) {
      seek(partition, taken.position);
      return 0;
    }
  }
  const commit: Commit = async (offset, metadata) => {
    // Checked in the same turn in which the library reads its generation: a commit never goes out under a later one.
    assignment.check();
    await batch.commit(offset, encodeMetadata(metadata));
  };
  const last = end >= batch.logEnd || !batch.isRunning();
  await taken.take({ records, end, last }, commit);
  const lastRecord = records.at(-1);
  if (lastRecord !== undefined) batch.resolve(lastRecord.offset);
  return last ? records.length : 0;
}
