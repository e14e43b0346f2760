import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { edgeDocument } from '../../../../schemas/openapi/edge-document.js';
import { slowOperationColumns, slowOperationFields } from '../../../../schemas/slow-operations.js';

interface AvroField {
  readonly name: string;
  readonly type: unknown;
}
interface Properties {
  readonly properties: Readonly<Record<string, unknown>>;
}

const avro = (
  JSON.parse(readFileSync('schemas/avro/slow-operation.avsc', 'utf8')) as { fields: readonly AvroField[] }
).fields;
const folder = 'sinks/clusters/migrations';
const migrations = readdirSync(folder)
  .filter((name) => /^\d{3}-slow-operations/.test(name))
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .join('\n');
const columns = new Map(
  [
    ...migrations.matchAll(
      /^ {4}(?:ADD COLUMN IF NOT EXISTS )?`?(\w+)`? ([A-Z].*?)(?: DEFAULT .*?)?(?: CODEC\(.*\))?(?: AFTER \w+)?[,;]?$/gm,
    ),
  ].map(([, name = '', type = '']) => [name, type]),
);
const isOurs = (name: string): boolean => !name.startsWith('_') && name !== 'inserted_at';
const sorted = (names: Iterable<string>): readonly string[] => [...names].sort();

/** The column type for each type of the record. */
const storedAs: Readonly<Record<string, RegExp>> = {
  string: /^(?:LowCardinality\()?String\)?$/,
  long: /^UInt64$/,
  int: /^UInt32$/,
  double: /^Float64$/,
  boolean: /^Bool$/,
  'timestamp-micros': /^DateTime64\(6, 'UTC'\)$/,
  array: /^Array\(String\)$/,
};

/** The name of an Avro type, and whether it is nullable. */
function told(type: unknown): { readonly name: string; readonly nullable: boolean } {
  if (Array.isArray(type)) return { ...told(type.find((each) => each !== 'null')), nullable: true };
  if (typeof type === 'string') return { name: type, nullable: false };
  const { type: name, logicalType } = type as { type: string; logicalType?: string };
  return { name: logicalType ?? name, nullable: false };
}

const inDocument = (name: string): readonly string[] =>
  sorted(Object.keys((edgeDocument.components.schemas[name] as unknown as Properties).properties));

describe('slow operations, wherever they are declared,', () => {
  it('have the same fields: as sent, on the topic, in the table', () => {
    const beside = ['workspace', 'received_at'];
    assert.deepEqual(sorted(avro.map(({ name }) => name)), sorted([...slowOperationFields, ...beside]));
    assert.deepEqual(sorted([...columns.keys()].filter(isOurs)), sorted([...slowOperationFields, ...beside]));
  });

  it("have columns of their fields' types, nullable exactly if the field is", () => {
    for (const { name, type } of avro) {
      const { name: kind, nullable } = told(type);
      const column = columns.get(name) ?? 'none';
      const bare = column.replace(/^LowCardinality\((.*)\)$/, '$1').replace(/^Nullable\((.*)\)$/, '$1');
      assert.match(bare, storedAs[kind] ?? /^$/, `${name}: ${kind} as ${column}`);
      assert.equal(column.includes('Nullable('), nullable, `${name}: ${column}`);
    }
  });

  it('are in the API as they are sent, and as they are read', () => {
    assert.deepEqual(inDocument('AgentSlowOperation'), sorted(slowOperationFields));
    assert.deepEqual(inDocument('SlowOperation'), sorted(['at', ...slowOperationColumns]));
  });
});
