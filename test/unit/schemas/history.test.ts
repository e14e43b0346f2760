import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { incompatibilities, type SchemaVersion } from '../../support/schema-compatibility.js';

const schemas = readdirSync('schemas/avro').map((file) => basename(file, '.avsc'));

function versionsOf(name: string): SchemaVersion[] {
  const folder = join('schemas/history', name);
  return readdirSync(folder)
    .map((file) => Number(basename(file, '.avsc')))
    .sort((a, b) => a - b)
    .map((number) => ({
      name: `${name} ${number}`,
      avsc: readFileSync(join(folder, `${number}.avsc`), 'utf8'),
    }));
}

describe('every version of a schema', () => {
  for (const name of schemas) {
    it(`${name}: each can read what any other wrote`, () => {
      assert.deepEqual(incompatibilities(versionsOf(name)), []);
    });

    it(`${name}: the newest is the one in use (a change needs a new file in schemas/history/${name})`, () => {
      const current = readFileSync(`schemas/avro/${name}.avsc`, 'utf8');
      assert.deepEqual(JSON.parse(versionsOf(name).at(-1)?.avsc ?? '{}'), JSON.parse(current));
    });
  }

  it('is numbered without a gap', () => {
    for (const name of schemas) {
      const numbers = versionsOf(name).map((version) => version.name);
      assert.deepEqual(
        numbers,
        numbers.map((_, index) => `${name} ${index + 1}`),
      );
    }
  });
});

describe('the check of compatibility', () => {
  const record = (...fields: readonly object[]): string =>
    JSON.stringify({ type: 'record', name: 'R', fields });
  const id = { name: 'id', type: 'string' };
  const check = (before: string, after: string): string[] =>
    incompatibilities([
      { name: 'before', avsc: before },
      { name: 'after', avsc: after },
    ]);

  it('lets a field with a default be added and removed', () => {
    const note = { name: 'note', type: ['null', 'string'], default: null };
    assert.deepEqual(check(record(id), record(id, note)), []);
    assert.deepEqual(check(record(id, note), record(id)), []);
  });

  for (const [what, before, after, who] of [
    [
      'a new field without a default',
      [id],
      [id, { name: 'more', type: 'string' }],
      "after can't read before",
    ],
    [
      'the loss of a field without a default',
      [id, { name: 'more', type: 'string' }],
      [id],
      "before can't read after",
    ],
    ['another type', [id], [{ name: 'id', type: 'long' }], "before can't read after"],
    [
      'a type that only one side can widen',
      [{ name: 'n', type: 'int' }],
      [{ name: 'n', type: 'long' }],
      "before can't read after",
    ],
    ['a new name', [id], [{ name: 'key', type: 'string' }], "before can't read after"],
  ] as const)
    it(`refuses ${what}`, () => {
      const found = check(record(...before), record(...after));
      assert.ok(
        found.some((text) => text.startsWith(who)),
        `found ${JSON.stringify(found)}`,
      );
    });

  it('refuses an enum symbol that an earlier reader has no default for', () => {
    const state = (symbols: string[], standard?: string) =>
      record({
        name: 'state',
        type: { type: 'enum', name: 'S', symbols, ...(standard === undefined ? {} : { default: standard }) },
      });
    assert.equal(check(state(['a']), state(['a', 'b'])).length, 1);
    assert.deepEqual(check(state(['a'], 'a'), state(['a', 'b'], 'a')), []);
  });
});
