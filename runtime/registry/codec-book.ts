import { subjectOf, type Topic } from '../../topics/topic.js';
import type { Codec } from '../codec.js';
import { TelltaleError } from '../errors.js';
import { createCodec } from './codec.js';
import { readSchema, type Registry } from './registry.js';

/** The codecs of the topics that a process reads or writes. */
export interface CodecBook {
  of<Value>(topic: Topic<Value>): Codec<Value>;
}

/** The id of each topic's own schema, by topic. Rejects with SCHEMA_MISSING or REGISTRY_UNREACHABLE. */
export async function schemaIdsOf(
  topics: readonly Topic[],
  registry: Pick<Registry, 'idOf'>,
): Promise<Readonly<Record<string, number>>> {
  const entries = topics.map(async (topic): Promise<[string, number]> => [
    topic.name,
    await registry.idOf(subjectOf(topic), readSchema(topic.value.schema)),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

/** Opens a codec for each topic. Rejects with SCHEMA_MISSING or REGISTRY_UNREACHABLE. */
export async function openCodecs(topics: readonly Topic[], registry: Registry): Promise<CodecBook> {
  return codecsOfIds(topics, await schemaIdsOf(topics, registry), registry);
}

const noRegistry = { schemaOf: () => Promise.resolve(undefined) };

/** Codecs of schemas whose ids are known; without a registry they only read their own version. */
export function codecsOfIds(
  topics: readonly Topic[],
  ids: Readonly<Record<string, number>>,
  registry: Pick<Registry, 'schemaOf'> = noRegistry,
): CodecBook {
  const codecs = new Map(
    topics.map(({ name, value }): [string, Codec<unknown>] => [
      name,
      createCodec(name, readSchema(value.schema), ids[name] ?? 0, registry),
    ]),
  );
  return {
    of<Value>(topic: Topic<Value>): Codec<Value> {
      const codec = codecs.get(topic.name);
      if (codec === undefined) throw new TelltaleError('TOPIC_MISSING', { topic: topic.name });
      return codec as Codec<Value>;
    },
  };
}
