import { TelltaleError } from '../errors.js';
import type { KafkaAccess } from '../kafka/client/kafka-access.js';
import { readLog } from '../kafka/consume/read-log.js';
import { foundDeadLetter, type FoundDeadLetter } from './dead-letter.js';
import { deadLettersOf } from '../../topics/dead-letters.js';
import type { Topic } from '../../topics/topic.js';

export interface DeadLetterFilter {
  readonly ids?: ReadonlySet<string>;
  readonly stage?: string;
  readonly code?: string;
  /** Milliseconds since 1970. */
  readonly since?: number;
}

function matches({ ids, stage, code, since }: DeadLetterFilter, letter: FoundDeadLetter): boolean {
  return (
    (ids === undefined || ids.has(letter.id)) &&
    (stage === undefined || letter.stage === stage) &&
    (code === undefined || letter.code === code) &&
    (since === undefined || letter.at >= since)
  );
}

/**
 * Every dead letter of these topics that matches, each once, oldest first within a topic. They come in the
 * batches that the fetches returned, so they never all have to fit into memory.
 */
export async function readDeadLetters(
  sources: readonly Topic[],
  kafka: KafkaAccess,
  filter: DeadLetterFilter,
  take: (letters: readonly FoundDeadLetter[]) => Promise<void> | void,
): Promise<void> {
  const seen = new Set<string>();
  for (const source of sources) {
    try {
      await readLog({
        topic: deadLettersOf(source),
        kafka,
        async take(_, records) {
          const letters = records.flatMap((record) => {
            const letter = foundDeadLetter(record);
            if (letter === undefined || seen.has(letter.id) || !matches(filter, letter)) return [];
            seen.add(letter.id);
            return [letter];
          });
          if (letters.length > 0) await take(letters);
        },
      });
    } catch (error) {
      // A stage whose topics were never created has no dead letters.
      if (!(error instanceof TelltaleError) || error.code !== 'TOPIC_MISSING') throw error;
    }
  }
}
