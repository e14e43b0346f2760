import { readConfig } from '../../runtime/config.js';
import { kafkaConfig } from '../../runtime/kafka/client/config.js';
import { decidableLetters, type DecidableLetters } from '../../runtime/dead-letters/decide-letters.js';
import type { FoundDeadLetter } from '../../runtime/dead-letters/dead-letter.js';
import { TelltaleError } from '../../runtime/errors.js';
import { requireKafka } from '../../runtime/kafka/client/kafka-watch.js';
import { kafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { silentLogger } from '../../runtime/logging.js';
import { openCodec } from '../../runtime/registry/codec.js';
import { connectRegistry } from '../../runtime/registry/registry.js';
import { deadLetterDecisions } from '../../topics/dead-letters.js';
import { consumedTopics } from '../pipeline.js';

/** The dead letters of the whole pipeline, and the decisions about them. */
export interface DeadLetterSession extends DecidableLetters {
  /** The decoded value of the letter; undefined if it can't be decoded. */
  decode(letter: FoundDeadLetter): Promise<unknown>;
  close(): Promise<void>;
}

/** Rejects with KAFKA_UNREACHABLE, REGISTRY_UNREACHABLE or SCHEMA_MISSING. */
export async function openDeadLetterSession(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<DeadLetterSession> {
  const settings = readConfig(kafkaConfig, environment);
  const access = kafkaAccess(settings, 'telltale-dead-letters', silentLogger);
  await requireKafka(access);
  const registry = connectRegistry(settings);
  const codec = await openCodec(deadLetterDecisions, registry);
  const letters = decidableLetters({ access, codec, sources: consumedTopics });
  return {
    ...letters,
    async decode({ topic, value }) {
      const source = consumedTopics.find(({ name }) => name === topic);
      if (source === undefined || value === null) return undefined;
      try {
        return await (await openCodec(source, registry)).decode(value);
      } catch (error) {
        if (error instanceof TelltaleError && error.code === 'RECORD_UNDECODABLE') return undefined;
        throw error;
      }
    },
    close: () => letters.decisions.close(),
  };
}
