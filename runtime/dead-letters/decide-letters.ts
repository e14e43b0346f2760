import type { DeadLetterDecision } from '../../schemas/generated/dead-letter-decision.js';
import type { FoundDeadLetter } from './dead-letter.js';
import { Decisions, type DecisionRequest, type DecisionsOptions } from './decisions.js';
import { readDeadLetters, type DeadLetterFilter } from './read-dead-letters.js';

/** Dead letters, and the means to decide about them. */
export interface DecidableLetters {
  readonly decisions: Pick<Decisions, 'read' | 'decide'>;
  each(
    filter: DeadLetterFilter,
    take: (letters: readonly FoundDeadLetter[]) => Promise<void> | void,
  ): Promise<void>;
}

/** The dead letters of the topics in `sources`. The caller closes `decisions` afterwards. */
export function decidableLetters(
  options: DecisionsOptions,
): DecidableLetters & { readonly decisions: Decisions } {
  const { sources, access } = options;
  return {
    decisions: new Decisions(options),
    each: (filter, take) => readDeadLetters(sources, access, filter, take),
  };
}

export interface DecideOptions {
  /** Decides nothing; counts what it would decide. */
  readonly isTrial?: boolean;
  /** Decides about at most this many; the others stay open. */
  readonly most?: number;
}

export interface DecidedLetters {
  readonly done: number;
  /** Still open, because there are more than `most`. */
  readonly left: number;
  /** Decided before, by this or by another command. */
  readonly before: readonly DeadLetterDecision[];
  /** Requested ids that no letter has. */
  readonly unknown: readonly string[];
}

/** Decides about the matching letters that are open, each once, oldest first within a topic. */
export async function decideLetters(
  letters: DecidableLetters,
  filter: DeadLetterFilter,
  request: DecisionRequest,
  { isTrial = false, most = Number.POSITIVE_INFINITY }: DecideOptions = {},
): Promise<DecidedLetters> {
  const { decisions } = letters;
  const known = await decisions.read();
  const unknown = new Set(filter.ids);
  const before: DeadLetterDecision[] = [];
  let [done, left] = [0, 0];
  await letters.each(filter, async (found) => {
    for (const { id } of found) unknown.delete(id);
    before.push(...found.flatMap(({ id }) => known.get(id) ?? []));
    const open = found.filter(({ id }) => !known.has(id));
    const taken = open.slice(0, most - done);
    left += open.length - taken.length;
    if (isTrial || taken.length === 0) {
      done += taken.length;
      return;
    }
    const decided = await decisions.decide(taken, request);
    done += decided.done.length;
    before.push(...decided.before);
  });
  return { done, left, before, unknown: [...unknown] };
}
