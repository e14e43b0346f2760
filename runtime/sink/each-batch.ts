import type { EachBatchPayload, OffsetsByTopicPartition } from 'kafkajs';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf, type TelltaleError } from '../errors.js';
import { bugIn } from '../kafka/bugs.js';
import { whileHeartbeating } from '../kafka/heartbeats.js';
import type { Assignments } from './assignments.js';
import type { SinkEnvironment, Tenure } from './environment.js';
import { encodeMetadata } from './intent.js';
import type { PartitionSink } from './partition-sink.js';
import type { Commit } from './partition-work.js';

const failurePauseMs = 200;

/** What a batch may ask of the loop around it. */
export interface LoopActions {
  readonly fatal: (error: TelltaleError) => void;
  readonly seek: (partition: number, offset: number) => void;
  readonly logStart: (partition: number) => Promise<number>;
}

/** Hands a batch of messages to its partition's sink; whatever fails is begun again from what is committed. */
export async function eachBatch<In>(
  payload: EachBatchPayload,
  environment: SinkEnvironment<In>,
  assignments: Assignments<In>,
  actions: LoopActions,
): Promise<void> {
  const { partition } = payload.batch;
  const tenure = assignments.tenureOf(partition);
  try {
    // A heartbeat that fails stops nothing here: the tenure does, and the heartbeat below says it again.
    await whileHeartbeating(payload, async () => {
      tenure.check();
      const taken = await assignments.of(partition, tenure);
      await passOn(payload, taken, tenure, actions);
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
      { sink: sink.name, partition, reason: reasonOf(error) },
      'a batch was dropped; its partition is taken over anew',
    );
    await sleep(failurePauseMs);
  }
  // The library rejoins the group only when it sees this itself.
  await payload.heartbeat();
}

async function passOn<In>(
  payload: EachBatchPayload,
  taken: PartitionSink<In>,
  tenure: Tenure,
  { seek, logStart }: LoopActions,
): Promise<void> {
  const { batch } = payload;
  const { topic, partition } = batch;
  const { fetchedOffset } = batch as typeof batch & { readonly fetchedOffset: string };
  if (Number(fetchedOffset) > taken.position) {
    // Fetched from beyond where the partition stands: never skip, unless there is nothing left to be read there.
    const start = await logStart(partition);
    if (start > taken.position) taken.skipTo(start);
    if (Number(fetchedOffset) > taken.position) {
      seek(partition, taken.position);
      return;
    }
  }
  const commit: Commit = async (offset, metadata) => {
    const position = { partition, offset: String(offset), metadata: encodeMetadata(metadata) };
    const offsets: OffsetsByTopicPartition = { topics: [{ topic, partitions: [position] }] };
    // Checked in the same turn in which the library reads its generation: a commit never goes out under a later one.
    tenure.check();
    await payload.commitOffsetsIfNecessary(offsets);
  };
  const end = Number(batch.lastOffset()) + 1;
  const last = end >= Number(batch.highWatermark) || !payload.isRunning();
  await taken.take({ messages: batch.messages, end, last }, commit);
  const { messages } = batch;
  const lastMessage = messages.at(-1);
  if (lastMessage !== undefined) payload.resolveOffset(lastMessage.offset);
}
