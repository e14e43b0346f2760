import avsc, { type Type } from 'avsc';

/** A version of a schema, and its name in failure messages. */
export interface SchemaVersion {
  readonly name: string;
  readonly avsc: string;
}

/**
 * Describes every pair of versions of which one can't read the other's records: FULL_TRANSITIVE, as a
 * registry checks it. Records can be read years later, and by a process older than the writer.
 */
export function incompatibilities(versions: readonly SchemaVersion[]): string[] {
  const types = versions.map((version) => ({ ...version, type: typeOf(version.avsc) }));
  return types.flatMap((reader) =>
    types.flatMap((writer) => {
      const reason = reasonNotToRead(reader.type, writer.type);
      return reason === undefined ? [] : [`${reader.name} can't read ${writer.name}: ${reason}`];
    }),
  );
}

function typeOf(text: string): Type {
  return avsc.Type.forSchema(JSON.parse(text) as avsc.Schema);
}

function reasonNotToRead(reader: Type, writer: Type): string | undefined {
  try {
    reader.createResolver(writer);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
