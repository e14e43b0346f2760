import type { Codec } from '../../runtime/codec.js';
import { LetterGroups, type LetterGroup } from '../../runtime/dead-letters/letter-groups.js';
import { readDeadLetters } from '../../runtime/dead-letters/read-dead-letters.js';
import { readDecisions } from '../../runtime/dead-letters/read-decisions.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import type { DeadLetterDecision } from '../../schemas/generated/dead-letter-decision.js';
import type { Topic } from '../../topics/topic.js';
import type { DeadLetterCounts } from '../ports.js';

export interface CountedDeadLettersOptions {
  /** The topics whose records may have become dead letters. */
  readonly sources: readonly Topic[];
  readonly kafka: KafkaAccess;
  readonly codec: Codec<DeadLetterDecision>;
}

/** Whoever asks again within so long is given the same counts: each reads a topic of every stage. */
const goodForMs = 5_000;

/** Counts dead letters by reading them when asked; who asks meanwhile waits for the same reading. */
export function countedDeadLetters({ sources, kafka, codec }: CountedDeadLettersOptions): DeadLetterCounts {
  const read = async (): Promise<readonly LetterGroup[]> => {
    const decisions = await readDecisions(kafka, codec);
    const groups = new LetterGroups();
    await readDeadLetters(sources, kafka, {}, (letters) => {
      for (const { id, stage, code, at } of letters) {
        const state = decisions.get(id)?.decision ?? 'open';
        groups.add({ stage, code, state, at: new Date(at).toISOString() });
      }
    });
    return groups.list();
  };
  let reading: Promise<readonly LetterGroup[]> | undefined;
  return {
    count() {
      if (reading !== undefined) return reading;
      const begun = read();
      reading = begun;
      const forget = (): void => {
        if (reading === begun) reading = undefined;
      };
      begun.then(() => setTimeout(forget, goodForMs).unref(), forget);
      return begun;
    },
  };
}
