import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonText, mapText, quoted, quotedOrNull } from '../../../../runtime/clickhouse/json-text.js';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\u0000', '\u007f', '\ud800', '\udc00', 'ä', '🙂') }),
  fc.string({ minLength: 60, maxLength: 70 }),
);

describe('JSON text', () => {
  it('is what JSON.stringify writes, of any text', () => {
    fc.assert(fc.property(anyText, (text) => quoted(text) === JSON.stringify(text)));
    assert.equal(quotedOrNull(null), 'null');
    assert.equal(quotedOrNull('a'), '"a"');
  });

  it('is what JSON.stringify writes, of any value that JSON has', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), (json) => {
        const value = JSON.parse(json) as unknown;
        assert.equal(jsonText(value), JSON.stringify(value));
      }),
    );
    for (const number of [0, -0, 1e21, 5e-324, 0.1, 1e999])
      assert.equal(jsonText(number), JSON.stringify(number));
  });

  it('is what JSON.stringify writes, of a map of texts', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, anyText), (map) => {
        assert.equal(mapText(map), JSON.stringify(map));
      }),
    );
  });
});
