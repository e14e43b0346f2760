import avsc, { type Type } from 'avsc';
import { subjectOf, type Topic } from '../../topics/topic.js';
import { reasonOf } from '../errors.js';
import { ByWriter, headerBytes, undecodable } from './by-writer.js';
import { readSchema, type Registry } from './registry.js';

/** The schema with which a value was written: a record. */
export interface WriterSchema {
  readonly id: number;
  readonly name: string;
  readonly fields: readonly unknown[];
}

/** Finds the schema with which a value was written, and checks its bytes against it without decoding them. */
export interface WriterSchemas {
  /** As `Codec.decode`: throws RECORD_UNDECODABLE; returns a promise only if the schema has to be fetched. */
  of(bytes: Buffer): WriterSchema | Promise<WriterSchema>;
}

/** Rejects with SCHEMA_MISSING or REGISTRY_UNREACHABLE. */
export async function openWriterSchemas(topic: Topic, registry: Registry): Promise<WriterSchemas> {
  const text = readSchema(topic.value.schema);
  return writerSchemas(topic.name, text, await registry.idOf(subjectOf(topic), text), registry);
}

interface Writer {
  readonly schema: WriterSchema;
  /** A type without fields: reading a value with it skips all fields, which is the check. */
  readonly nothing: Type;
  readonly skipping: ReturnType<Type['createResolver']>;
}

export function writerSchemas(
  topicName: string,
  ownText: string,
  ownId: number,
  registry: Pick<Registry, 'schemaOf'>,
): WriterSchemas {
  const own = avsc.Type.forSchema(JSON.parse(ownText) as avsc.Schema);
  const writerOf = (text: string, id: number): Writer => {
    const { name, namespace, fields } = JSON.parse(text) as Named;
    const writer = avsc.Type.forSchema(JSON.parse(text) as avsc.Schema);
    own.createResolver(writer); // throws if the two don't fit
    const nothing = avsc.Type.forSchema({
      type: 'record',
      name,
      ...(namespace && { namespace }),
      fields: [],
    });
    return { schema: { id, name, fields }, nothing, skipping: nothing.createResolver(writer) };
  };
  const writers = new ByWriter(topicName, registry, writerOf).know(ownId, writerOf(ownText, ownId));

  const checked = ({ schema, nothing, skipping }: Writer, bytes: Buffer): WriterSchema => {
    const offset = endOf(nothing, skipping, bytes);
    if (offset === bytes.length) return schema;
    throw undecodable(topicName, offset < 0 ? 'it is cut off' : 'it is longer than its schema');
  };
  const endOf = (nothing: Type, skipping: Writer['skipping'], bytes: Buffer): number => {
    try {
      // avsc reads past the end of a truncated buffer and then returns an offset of -1.
      return (nothing.decode(bytes, headerBytes, skipping) as { offset: number }).offset;
    } catch (cause) {
      throw undecodable(topicName, reasonOf(cause), cause);
    }
  };
  return {
    of(bytes) {
      const writer = writers.of(bytes);
      return writer instanceof Promise
        ? writer.then((found) => checked(found, bytes))
        : checked(writer, bytes);
    },
  };
}

interface Named {
  readonly name: string;
  readonly namespace?: string;
  readonly fields: readonly unknown[];
}
