import type { Topic } from '../../topics/topic.js';
import type { Codec } from '../codec.js';
import { TelltaleError } from '../errors.js';
import { openCodec } from './codec.js';
import type { Registry } from './registry.js';

/** The codecs of the topics that a process reads or writes. */
export interface CodecBook {
  of<Value>(topic: Topic<Value>): Codec<Value>;
}

/** Opens a codec for each topic; SCHEMA_MISSING or REGISTRY_UNREACHABLE where that can't be done. */
export async function openCodecs(topics: readonly Topic[], registry: Registry): Promise<CodecBook> {
  const entries = await Promise.all(
    topics.map(async (topic): Promise<[string, Codec<unknown>]> => [
      topic.name,
      await openCodec(topic, registry),
    ]),
  );
  const codecs = new Map(entries);
  return {
    of<Value>(topic: Topic<Value>): Codec<Value> {
      const codec = codecs.get(topic.name);
      if (codec === undefined) throw new TelltaleError('TOPIC_MISSING', { topic: topic.name });
      return codec as Codec<Value>;
    },
  };
}
