import type { FoundDeadLetter } from '../../runtime/dead-letters/dead-letter.js';
import type { DeadLetterState } from '../../runtime/dead-letters/letter-groups.js';
import type { DeadLetterDecision } from '../../schemas/generated/dead-letter-decision.js';

/** A dead letter as shown to users: without the content of its record. */
export interface LetterView {
  readonly id: string;
  readonly state: DeadLetterState;
  readonly at: string;
  readonly stage: string;
  readonly code: string;
  readonly reason: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly attempts: number;
  readonly bytes: number;
  readonly decided_at: string | null;
  readonly decided_by: string | null;
  readonly decision_reason: string | null;
}

export function letterView(letter: FoundDeadLetter, decision: DeadLetterDecision | undefined): LetterView {
  const { id, at, stage, code, reason, topic, partition, offset, attempts, value } = letter;
  return {
    id,
    state: decision?.decision ?? 'open',
    at: new Date(at).toISOString(),
    stage,
    code,
    reason,
    topic,
    partition,
    offset,
    attempts,
    bytes: value?.length ?? 0,
    decided_at: decision === undefined ? null : decidedAt(decision),
    decided_by: decision?.decided_by ?? null,
    decision_reason: decision?.reason ?? null,
  };
}

export const decidedAt = ({ decided_at }: DeadLetterDecision): string =>
  new Date(decided_at / 1_000).toISOString();
