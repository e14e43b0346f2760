import type { Codec } from '../../runtime/codec.js';
import { LetterGroups, type LetterGroup } from '../../runtime/dead-letters/letter-groups.js';
import { readDeadLetters } from '../../runtime/dead-letters/read-dead-letters.js';
import { readDecisions } from '../../runtime/dead-letters/read-decisions.js';
import type { KafkaAccess } from '../../runtime/kafka/kafka-access.js';
import type { DeadLetterDecision } from '../../schemas/generated/dead-letter-decision.js';
import type { Topic } from '../../topics/topic.js';

/** Dead letters by stage and code, with what was decided about them. */
export async function countLetters(
  sources: readonly Topic[],
  codec: Codec<DeadLetterDecision>,
  kafka: KafkaAccess,
): Promise<readonly LetterGroup[]> {
  const decisions = await readDecisions(kafka, codec);
  const groups = new LetterGroups();
  await readDeadLetters(sources, kafka, {}, (letters) => {
    for (const { id, stage, code, at } of letters)
      groups.add({
        stage,
        code,
        state: decisions.get(id)?.decision ?? 'open',
        at: new Date(at).toISOString(),
      });
  });
  return groups.list();
}
