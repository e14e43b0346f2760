import avsc, { type Type } from 'avsc';
import type { Topic } from '../../topics/topic.js';
import { subjectOf } from '../../topics/topic.js';
import type { Codec } from '../codec.js';
import { reasonOf } from '../errors.js';
import { ByWriter, headerBytes, magicByte, undecodable } from './by-writer.js';
import { readSchema, type Registry } from './registry.js';

const slabBytes = 64 * 1024;

/**
 * The codec of a topic. Our own schema's id is fetched here; other versions are fetched when a record has
 * their id. Rejects with SCHEMA_MISSING or REGISTRY_UNREACHABLE.
 */
export async function openCodec<Value>(topic: Topic<Value>, registry: Registry): Promise<Codec<Value>> {
  const text = readSchema(topic.value.schema);
  const id = await registry.idOf(subjectOf(topic), text);
  return createCodec<Value>(topic.name, text, id, registry);
}

/**
 * `decode` throws RECORD_UNDECODABLE for bytes that will never be readable (poison), and REGISTRY_UNREACHABLE
 * if the schema of a record can't be fetched now (an outage: try the same record again).
 */
export function createCodec<Value>(
  topicName: string,
  schemaText: string,
  id: number,
  registry: Pick<Registry, 'schemaOf'>,
): Codec<Value> {
  const own = avsc.Type.forSchema(JSON.parse(schemaText) as avsc.Schema);
  const readers = new ByWriter<Reader>(topicName, registry, (text) => {
    const writer = avsc.Type.forSchema(JSON.parse(text) as avsc.Schema);
    return { type: own, resolver: own.createResolver(writer) };
  }).know(id, { type: own, resolver: undefined });

  const read = ({ type, resolver }: Reader, bytes: Buffer): Value => {
    try {
      // avsc reads past the end of a truncated buffer and then returns an offset of -1.
      const decoded: Decoded<Value> = type.decode(bytes, headerBytes, resolver);
      const { value, offset } = decoded;
      if (offset !== bytes.length)
        throw new Error(offset < 0 ? 'it is cut off' : 'it is longer than its schema');
      return value;
    } catch (cause) {
      throw undecodable(topicName, reasonOf(cause), cause);
    }
  };

  return {
    encode: createEncoder(own, id),
    decode(bytes) {
      const reader = readers.of(bytes);
      return reader instanceof Promise ? reader.then((found) => read(found, bytes)) : read(reader, bytes);
    },
  };
}

interface Decoded<Value> {
  readonly value: Value;
  readonly offset: number;
}

interface Reader {
  readonly type: Type;
  readonly resolver: ReturnType<Type['createResolver']> | undefined;
}

/** Records are written one after another into slabs, so that few of them need an allocation and none a copy. */
function createEncoder(type: Type, id: number): (value: unknown) => Buffer {
  let slab = Buffer.allocUnsafeSlow(slabBytes);
  let used = 0;
  return (value) => {
    let end = type.encode(value, slab, used + headerBytes);
    if (end < 0) {
      // A negative result is minus the number of missing bytes.
      const needed = slab.length - used - end;
      slab = Buffer.allocUnsafeSlow(Math.max(slabBytes, needed));
      used = 0;
      end = type.encode(value, slab, headerBytes);
    }
    slab[used] = magicByte;
    slab.writeInt32BE(id, used + 1);
    const bytes = slab.subarray(used, end);
    used = end;
    return bytes;
  };
}
