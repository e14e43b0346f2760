import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf, type TelltaleError } from '../errors.js';
import { type AssignedBatch, whileHeartbeating } from '../kafka/consume/assigned-partition.js';
import { bugIn } from '../kafka/protocol/kafka-error.js';
import type { Assignments } from './assignments.js';
import type { SinkEnvironment, Assignment } from './environment.js';
import { encodeMetadata } from './intent.js';
import type { PartitionSink } from './partition-sink.js';
import type { PartitionRests } from './partition-rests.js';
import type { Commit } from './partition-work.js';

const failurePauseMs = 200;

/** The actions of the loop that a batch may call. */
export interface LoopActions {
  readonly fatal: (error: TelltaleError) => void;
  readonly seek: (partition: number, offset: number) => void;
  readonly logStart: (partition: number) => Promise<number>;
  readonly rests: PartitionRests;
}

/** Passes a batch to its partition's sink; after a failure it restarts from the committed offset. */
export async function eachBatch(
  batch: AssignedBatch,
  environment: SinkEnvironment,
  assignments: Assignments,
  actions: LoopActions,
): Promise<void> {
  const { partition } = batch;
  const assignment = assignments.assignmentOf(partition);
  actions.rests.fetched(partition);
  try {
    // A failed heartbeat stops nothing here: the assignment's end does. The heartbeat below rejects again.
    await whileHeartbeating(batch, async () => {
      assignment.check();
      const taken = await assignments.of(partition, assignment);
      actions.rests.begin(batch, await passOn(batch, taken, environment, assignment, actions));
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
      'a batch was dropped; acquiring its partition again',
    );
    await sleep(failurePauseMs);
  }
  // The library rejoins the group only when it sees a heartbeat's error itself.
  await batch.heartbeat();
}

/** Returns how many records had gathered since the partition's last read; 0 if more are known to exist. */
async function passOn(
  batch: AssignedBatch,
  taken: PartitionSink,
  { sink, logger }: SinkEnvironment,
  assignment: Assignment,
  { seek, logStart }: LoopActions,
): Promise<number> {
  const { partition, records, end, fetchedFrom } = batch;
  if (fetchedFrom > taken.position) {
    // The batch starts beyond the partition's position. Skip only records that the log no longer has.
    const start = await logStart(partition);
    if (start > taken.position) {
      logger.warn(
        { event: 'sink-records-expired', sink: sink.name, partition, from: taken.position, to: start },
        'records expired before they were stored',
      );
      taken.skipTo(start);
    }
    if (fetchedFrom > taken.position) {
      seek(partition, taken.position);
      return 0;
    }
  }
  const commit: Commit = async (offset, metadata) => {
    // Checked in the same turn of the event loop in which the library reads its generation, so that a commit
    // is never sent under a later one.
    assignment.check();
    await batch.commit(offset, encodeMetadata(metadata));
  };
  const last = end >= batch.logEnd || !batch.isRunning();
  await taken.take({ records, end, last }, commit);
  const lastRecord = records.at(-1);
  if (lastRecord !== undefined) batch.resolve(lastRecord.offset);
  return last ? records.length : 0;
}
