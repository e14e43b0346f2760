import avsc, { type Type } from 'avsc';
import type { Topic } from '../../topics/topic.js';
import { subjectOf } from '../../topics/topic.js';
import type { Codec } from '../codec.js';
import { TelltaleError, reasonOf } from '../errors.js';
import { readSchema, type Registry } from './registry.js';

const magicByte = 0;
const headerBytes = 5;
const slabBytes = 64 * 1024;

/**
 * The codec of a topic: the id of our own schema is fetched here, ids of other versions when a record brings them.
 * Rejects with SCHEMA_MISSING or REGISTRY_UNREACHABLE.
 */
export async function openCodec<Value>(topic: Topic<Value>, registry: Registry): Promise<Codec<Value>> {
  const text = readSchema(topic.value.schema);
  const id = await registry.idOf(subjectOf(topic), text);
  return createCodec<Value>(topic.name, text, id, registry);
}

/**
 * `decode` throws RECORD_UNDECODABLE for what will never be readable (poison), and REGISTRY_UNREACHABLE where the
 * schema of a record can't be fetched now (an outage: try the same record again).
 */
export function createCodec<Value>(
  topicName: string,
  schemaText: string,
  id: number,
  registry: Pick<Registry, 'schemaOf'>,
): Codec<Value> {
  const own = avsc.Type.forSchema(JSON.parse(schemaText) as avsc.Schema);
  const readers = new Map<number, Reader>([[id, { type: own, resolver: undefined }]]);
  const fetching = new Map<number, Promise<Reader>>();

  const poison = (reason: string, cause?: unknown): TelltaleError =>
    new TelltaleError('RECORD_UNDECODABLE', { topic: topicName, reason }, { cause });

  const read = ({ type, resolver }: Reader, bytes: Buffer): Value => {
    try {
      // avsc reads past the end of a truncated buffer and then answers with an offset of -1.
      const decoded: Decoded<Value> = type.decode(bytes, headerBytes, resolver);
      const { value, offset } = decoded;
      if (offset !== bytes.length)
        throw new Error(offset < 0 ? 'it is cut off' : 'it is longer than its schema');
      return value;
    } catch (cause) {
      throw poison(reasonOf(cause), cause);
    }
  };

  const fetchReader = async (writerId: number): Promise<Reader> => {
    const text = await registry.schemaOf(writerId);
    if (text === undefined) throw poison(`schema ${writerId} is not in the registry`);
    try {
      const writer = avsc.Type.forSchema(JSON.parse(text) as avsc.Schema);
      const reader = { type: own, resolver: own.createResolver(writer) };
      readers.set(writerId, reader);
      return reader;
    } catch (cause) {
      throw poison(`schema ${writerId} does not resolve to ours: ${reasonOf(cause)}`, cause);
    }
  };

  /** One request an id, however many records of it arrive at once. */
  const fetchOnce = (writerId: number): Promise<Reader> => {
    const under = fetching.get(writerId);
    if (under !== undefined) return under;
    const fetched = fetchReader(writerId).finally(() => fetching.delete(writerId));
    fetching.set(writerId, fetched);
    return fetched;
  };

  return {
    encode: createEncoder(own, id),
    decode(bytes) {
      if (bytes.length < headerBytes || bytes[0] !== magicByte) {
        throw poison('it does not begin with the magic byte and a schema id');
      }
      const writerId = bytes.readInt32BE(1);
      const reader = readers.get(writerId);
      return reader === undefined
        ? fetchOnce(writerId).then((found) => read(found, bytes))
        : read(reader, bytes);
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

/** Records are written one behind the other into slabs, so that few of them cost an allocation and none a copy. */
function createEncoder(type: Type, id: number): (value: unknown) => Buffer {
  let slab = Buffer.allocUnsafeSlow(slabBytes);
  let used = 0;
  return (value) => {
    let end = type.encode(value, slab, used + headerBytes);
    if (end < 0) {
      // The answer is minus the number of bytes that were missing.
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
