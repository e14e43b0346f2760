import type { Codec } from '../../runtime/codec.js';
import type { FoundDeadLetter } from '../../runtime/dead-letters/dead-letter.js';
import { LetterGroups } from '../../runtime/dead-letters/letter-groups.js';
import { readDeadLetters } from '../../runtime/dead-letters/read-dead-letters.js';
import { readDecisions } from '../../runtime/dead-letters/read-decisions.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import type { DeadLetterDecision } from '../../schemas/generated/dead-letter-decision.js';
import type { Topic } from '../../topics/topic.js';
import { KeptReading } from './kept-reading.js';
import { replayLetters } from './replay-letters.js';
import type { DeadLetters, ListedLetter, ReadDeadLetters } from '../ports.js';

export interface KeptDeadLettersOptions {
  /** The topics whose records can have become dead letters. */
  readonly sources: readonly Topic[];
  readonly kafka: KafkaAccess;
  readonly codec: Codec<DeadLetterDecision>;
}

/** One page. If there are more, the counts show what they have in common. */
const mostListed = 100;

/**
 * Counts dead letters and lists the newest, by reading a topic of every stage on request. Each reading is
 * kept for a while. Also sends letters back.
 */
export function keptDeadLetters({ sources, kafka, codec }: KeptDeadLettersOptions): DeadLetters {
  const read = async (): Promise<ReadDeadLetters> => {
    const decisions = await readDecisions(kafka, codec);
    const groups = new LetterGroups();
    let newest: readonly ListedLetter[] = [];
    await readDeadLetters(sources, kafka, {}, (letters) => {
      for (const { id, stage, code, at } of letters) {
        const state = decisions.get(id)?.decision ?? 'open';
        groups.add({ stage, code, state, at: new Date(at).toISOString() });
      }
      const open = letters.filter(({ id }) => !decisions.has(id)).map(listed);
      newest = [...newest, ...open].sort((one, other) => other.at.localeCompare(one.at)).slice(0, mostListed);
    });
    return { groups: groups.list(), newest };
  };
  const reading = new KeptReading(read);
  const replay = replayLetters({ access: kafka, codec, sources });
  return {
    async replay(filter, by) {
      try {
        return await replay(filter, by);
      } finally {
        // After letters were sent back, they must not be shown as open.
        reading.forget();
      }
    },
    read: () => reading.get(),
  };
}

/** ClickHouse quotes values of a row that it refuses, and the row can belong to any workspace. */
const withoutValues = (reason: string): string => reason.replace(/'[^']*'?|"[^"]*"?/g, '…');

const listed = ({
  at,
  id,
  stage,
  code,
  reason,
  topic,
  partition,
  offset,
  attempts,
}: FoundDeadLetter): ListedLetter => ({
  ...{ id, at: new Date(at).toISOString(), stage, code, reason: withoutValues(reason) },
  ...{ topic, partition, offset, attempts },
});
