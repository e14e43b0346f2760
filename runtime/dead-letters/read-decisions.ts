import type { Codec } from '../codec.js';
import type { KafkaAccess } from '../kafka/client/kafka-access.js';
import { readPartition } from '../kafka/consume/read-log.js';
import type { DeadLetterDecision } from '../../schemas/generated/dead-letter-decision.js';
import { deadLetterDecisions } from '../../topics/dead-letters.js';

/** The current decisions, by the ids of the dead letters. */
export async function readDecisions(
  kafka: KafkaAccess,
  codec: Codec<DeadLetterDecision>,
): Promise<ReadonlyMap<string, DeadLetterDecision>> {
  const signal = new AbortController().signal;
  const { values } = await readPartition({ topic: deadLetterDecisions, codec, partition: 0, kafka, signal });
  return values;
}
