import type { FoundDeadLetter } from '../../runtime/dead-letters/dead-letter.js';
import type { DeadLetterDecision } from '../../schemas/generated/dead-letter-decision.js';

export type DeadLetterState = 'open' | DeadLetterDecision['decision'];

/** A dead letter as it is shown: without what the record says. */
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

/** Dead letters of one stage with one code. */
export interface LetterGroup {
  readonly stage: string;
  readonly code: string;
  open: number;
  replayed: number;
  discarded: number;
  oldest_at: string;
  newest_at: string;
}

/** Counts letters by stage and code. */
export class LetterGroups {
  private readonly groups = new Map<string, LetterGroup>();

  add({ stage, code, state, at }: LetterView): void {
    const id = JSON.stringify([stage, code]);
    let group = this.groups.get(id);
    if (group === undefined) {
      group = { stage, code, open: 0, replayed: 0, discarded: 0, oldest_at: at, newest_at: at };
      this.groups.set(id, group);
    }
    group[state] += 1;
    if (at < group.oldest_at) group.oldest_at = at;
    if (at > group.newest_at) group.newest_at = at;
  }

  /** Those with the most open letters first. */
  list(): readonly LetterGroup[] {
    return [...this.groups.values()].sort((a, b) => b.open - a.open || a.stage.localeCompare(b.stage));
  }
}
