import type { DeadLetterDecision } from '../../schemas/generated/dead-letter-decision.js';
import type { FoundDeadLetter } from './dead-letter.js';
import { Decisions, type DecisionRequest, type DecisionsOptions } from './decisions.js';
import { readDeadLetters, type DeadLetterFilter } from './read-dead-letters.js';

/** Dead letters that can be decided about. */
export interface DecidableLetters {
  readonly decisions: Pick<Decisions, 'read' | 'decide'>;
  each(
    filter: DeadLetterFilter,
    take: (letters: readonly FoundDeadLetter[]) => Promise<void> | void,
  ): Promise<void>;
}

/** The letters that records of these topics have become. Whoever has decided closes the decisions. */
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
  /** Decides nothing, and counts what would be decided. */
  readonly isTrial?: boolean;
  /** So many at most: the others stay open. */
  readonly most?: number;
}

export interface DecidedLetters {
  readonly done: number;
  /** Open still, because there are more than `most`. */
  readonly left: number;
  /** Decided before, by this or by another command. */
  readonly before: readonly DeadLetterDecision[];
  /** Wanted ids that no letter has. */
  readonly unknown: readonly string[];
}

/** Decides about the open ones of the letters that match, each once, oldest first within a topic. */
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
