import { setTimeout as sleep } from 'node:timers/promises';
import { TelltaleError } from '../../../runtime/errors.js';
import { kafkaUnreachable, type KafkaAccess } from '../../../runtime/kafka/client/kafka-access.js';
import type { PartitionHistory } from '../../../runtime/kafka/consume/topic-growth.js';
import { untilAvailable } from '../../../runtime/backoff.js';
import { laterOf } from '../entry.js';
import { NotKept, type StatusQuestion } from './question.js';
import type { ShardGroup } from './shard-group.js';
import type { ShardOwners } from './shard-owners.js';
import { needsResult, type StatusShards } from './status-shards.js';

interface Among {
  readonly kafka: KafkaAccess;
  readonly shards: StatusShards;
  readonly owners: ShardOwners;
  readonly history: PartitionHistory;
  readonly group: Pick<ShardGroup, 'knowsHistory' | 'followGrowth'>;
  /** Called when a question must wait for the end of the log. */
  readonly missed: () => void;
}

type Answer = Promise<Buffer | undefined>;
type AskPartition = (partition: number, question: StatusQuestion) => Answer;

const countingMs = 2_000;
/** How long a partition takes to move if its next owner has already read it. */
const movingMs = 300;
const movingPauseMs = 50;

/** Finds a task's entry in every partition that might have it, whichever edge keeps it. */
export function findAmongEdges(among: Among): (question: StatusQuestion) => Answer {
  const { kafka, history, group, missed } = among;
  const ask = askThroughMoves(among);
  const askAll = async (ids: readonly number[], question: StatusQuestion): Answer => {
    const entries = await Promise.all(ids.map((id) => ask(id, question)));
    return entries.reduce((one, other) => (one && other ? laterOf(one, other) : (one ?? other)), undefined);
  };
  return async (question) => {
    if (!group.knowsHistory) throw kafkaUnreachable(kafka);
    const known = history.of(question.taskId);
    const entry = await askAll(known, question);
    if (entry !== undefined) return entry;
    missed();
    // The edge that accepted the task might have known partitions that this edge did not know about yet.
    const counted = await untilAvailable(
      () => group.followGrowth().then(() => true),
      Date.now() + countingMs,
    );
    if (counted === undefined) throw kafkaUnreachable(kafka);
    return askAll(
      history.of(question.taskId).filter((id) => !known.includes(id)),
      question,
    );
  };
}

/** Asks again while a partition moves: its next owner can be asked too early, and the former one too late. */
function askThroughMoves({ shards, owners }: Among): AskPartition {
  /** The primary stores the result. The record is read only if the primary does not return it. */
  const complete = async (partition: number, question: StatusQuestion, reference: Buffer): Answer => {
    const entry = await owners.askPrimary(partition, question);
    const isOlder = entry === undefined || laterOf(entry, reference) === reference;
    return isOlder ? shards.complete(partition, question, reference) : entry;
  };
  const askOnce: AskPartition = async (partition, question) => {
    try {
      const entry = await shards.answer(partition, question);
      return entry !== undefined && needsResult(entry, question)
        ? await complete(partition, question, entry)
        : entry;
    } catch (error) {
      if (!(error instanceof NotKept)) throw error;
      return owners.ask(partition, question);
    }
  };
  return async (partition, question) => {
    const retryUntil = Date.now() + movingMs;
    for (;;) {
      try {
        return await askOnce(partition, question);
      } catch (error) {
        const isAway = error instanceof TelltaleError && error.code === 'TASK_STATUS_AWAY';
        if (!isAway || Date.now() > retryUntil) throw error;
        await sleep(movingPauseMs);
      }
    }
  };
}
