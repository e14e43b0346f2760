import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import avsc, { type Type } from 'avsc';
import fc from 'fast-check';

const folder = 'schemas/history';

describe('a value that one version of a schema wrote', () => {
  for (const name of readdirSync(folder)) {
    const versions = readdirSync(join(folder, name))
      .map((file) => ({
        number: Number(basename(file, '.avsc')),
        type: avsc.Type.forSchema(JSON.parse(readFileSync(join(folder, name, file), 'utf8')) as avsc.Schema),
      }))
      .sort((a, b) => a.number - b.number);
    for (const writer of versions)
      for (const reader of versions)
        it(`${name}: version ${reader.number} reads what ${writer.number} wrote`, () => {
          const resolver = reader.type.createResolver(writer.type);
          fc.assert(
            fc.property(valueOf(writer.type), (value) => {
              const read: unknown = reader.type.fromBuffer(writer.type.toBuffer(value), resolver);
              // Reader-only fields have their default, writer-only fields are gone, others are equal.
              const wanted = expected(writer.type, reader.type, value as Readonly<Record<string, unknown>>);
              assert.deepEqual(reader.type.toBuffer(read), reader.type.toBuffer(wanted));
            }),
            { numRuns: 100 },
          );
        });
  }
});

/** Any value of the type, in avsc's form: an ambiguous union names its branch. */
function valueOf(type: Type): fc.Arbitrary<unknown> {
  if (type instanceof avsc.types.RecordType)
    return fc.record(Object.fromEntries(type.fields.map((field) => [field.name, valueOf(field.type)])));
  if (type instanceof avsc.types.ArrayType) return fc.array(valueOf(type.itemsType), { maxLength: 4 });
  if (type instanceof avsc.types.MapType)
    return fc.dictionary(
      text.filter((key) => key !== '__proto__'),
      valueOf(type.valuesType as Type),
      {
        maxKeys: 4,
        noNullPrototype: true,
      },
    );
  if (type instanceof avsc.types.EnumType) return fc.constantFrom(...type.symbols);
  if (type instanceof avsc.types.UnwrappedUnionType) return fc.oneof(...type.types.map(valueOf));
  if (type instanceof avsc.types.WrappedUnionType)
    return fc.oneof(
      ...type.types.map((branch) =>
        branch.typeName === 'null'
          ? fc.constant(null)
          : valueOf(branch).map((value) => ({ [branch.branchName ?? '']: value })),
      ),
    );
  const primitive = primitives[type.typeName];
  assert.ok(primitive !== undefined, `no values for ${type.typeName}`);
  return primitive;
}

const text = fc.string({ unit: 'binary', maxLength: 20 });

const primitives: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  null: fc.constant(null),
  boolean: fc.boolean(),
  int: fc.integer(),
  long: fc.integer({ min: 1 - Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER - 1 }),
  float: fc.float(),
  double: fc.double(),
  string: text,
  bytes: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
};

function expected(
  writer: Type,
  reader: Type,
  value: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const written = new Set(fieldsOf(writer).map(({ name }) => name));
  return Object.fromEntries(
    fieldsOf(reader).map((field) => [
      field.name,
      written.has(field.name) ? value[field.name] : field.defaultValue(),
    ]),
  );
}

function fieldsOf(type: Type): avsc.types.RecordType['fields'] {
  assert.ok(type instanceof avsc.types.RecordType);
  return type.fields;
}
