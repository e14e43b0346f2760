import assert from 'node:assert/strict';
import fc from 'fast-check';
import { JsonMistake, parseLocatedJson } from '../../../../../agent/integration/config/located-json.js';
import { runs } from '../../../../support/properties.js';

describe('JSON with locations', () => {
  it('means what JSON.parse says', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(0, 2), (text, indent) => {
        const printed = JSON.stringify(JSON.parse(text), undefined, indent);
        assert.deepEqual(parseLocatedJson(printed).value, JSON.parse(printed));
      }),
    );
  });

  it('refuses exactly what JSON.parse refuses, but for names given twice', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b',
      '1',
      '-',
      '0',
      '.5',
      'e1',
      'true',
      'nul',
      ' ',
      '\n',
      '\\u00zz"',
      '\u0007',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        let mistake: JsonMistake | undefined;
        try {
          parseLocatedJson(text);
        } catch (error) {
          assert.ok(error instanceof JsonMistake);
          mistake = error;
        }
        if (mistake?.message.includes('twice')) return;
        if (mistake === undefined) JSON.parse(text);
        else assert.throws(() => JSON.parse(text) as unknown);
      }),
      { numRuns: runs(300) },
    );
  });

  it("gives each value's line and column, or those of the value around it if it is missing", () => {
    const { locationOf } = parseLocatedJson('\uFEFF{\n  "a/b": [1,\n    {"c": null}]}');
    assert.deepEqual(locationOf('/a~1b/1/c'), { line: 3, column: 11 });
    assert.deepEqual(locationOf('/a~1b/0'), { line: 2, column: 11 });
    assert.deepEqual(locationOf('/a~1b/1/missing'), { line: 3, column: 5 });
    assert.equal(locationOf('/nothing/here').line, 1);
  });

  it('is refused if it is nested too deeply', () => {
    assert.throws(() => parseLocatedJson('['.repeat(100_000)), /nested too deeply/);
  });

  it('treats a member named __proto__ as an ordinary member', () => {
    const { value } = parseLocatedJson('{"__proto__": {"admin": true}}');
    assert.equal((value as { admin?: boolean }).admin, undefined);
    assert.deepEqual(Object.keys(value as object), ['__proto__']);
  });
});
