import type { DeadLetterDecision } from '../schemas/generated/dead-letter-decision.js';
import { avro, compactAndDeleteAfter, topic, type Topic } from './topic.js';

/**
 * The topic for records of a topic that can't be decoded or processed. The value is the raw bytes; origin, stage, error
 * code and attempts are headers.
 */
export function deadLettersOf(source: Topic | string): string {
  return `${typeof source === 'string' ? source : source.name}.dead-letters`;
}

export const deadLetterHeaders = {
  topic: 'telltale-origin-topic',
  partition: 'telltale-origin-partition',
  offset: 'telltale-origin-offset',
  stage: 'telltale-stage',
  code: 'telltale-error-code',
  reason: 'telltale-error-reason',
  attempts: 'telltale-attempts',
} as const;

/** How long a dead letter is kept. */
export const deadLetterDays = 30;

/**
 * The decisions about dead letters, one each. Kept longer than the letters, so that no letter can be replayed
 * twice because its decision has been deleted.
 */
export const deadLetterDecisions = topic({
  name: 'operations.dead-letter-decisions',
  key: 'dead letter',
  value: avro<DeadLetterDecision>('dead-letter-decision'),
  partitions: 1,
  cleanup: compactAndDeleteAfter({ days: 3 * deadLetterDays }),
  owner: 'cli/dead-letters',
});
