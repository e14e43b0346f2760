import type { DeadLetterDecision } from '../../schemas/generated/dead-letter-decision.js';

export type DeadLetterState = 'open' | DeadLetterDecision['decision'];

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

interface CountedLetter {
  readonly stage: string;
  readonly code: string;
  readonly state: DeadLetterState;
  readonly at: string;
}

/** Counts letters by stage and code. */
export class LetterGroups {
  private readonly groups = new Map<string, LetterGroup>();

  /** `at` is ISO 8601. */
  add({ stage, code, state, at }: CountedLetter): void {
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
