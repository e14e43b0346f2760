import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { interfaceOf } from '../../../schemas/generate-types.js';

const names = (folder: string, extension: string): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(extension))
    .map((file) => basename(file, extension));

describe('generated types', () => {
  const schemas = names('schemas/avro', '.avsc');

  it('are there for every schema, and for nothing else', () => {
    assert.deepEqual(names('schemas/generated', '.ts').sort(), schemas.sort());
  });

  for (const name of schemas) {
    it(`of ${name} are what \`npm run generate\` writes`, () => {
      const generated = readFileSync(`schemas/generated/${name}.ts`, 'utf8');
      assert.equal(generated, interfaceOf(readFileSync(`schemas/avro/${name}.avsc`, 'utf8')));
    });
  }
});
