import assert from 'node:assert/strict';
import fc from 'fast-check';
import { wellFormedJson } from '../../../schemas/well-formed-json.js';

describe('JSON of texts that contain lone surrogates', () => {
  it('has a replacement character for each, in values and in keys', () => {
    const told = wellFormedJson(JSON.stringify({ 'a\ud800': 'b\udc00\\', '🙈': '🙈' }));
    assert.deepEqual(JSON.parse(told), { 'a\ufffd': 'b\ufffd\\', '🙈': '🙈' });
  });

  it('keeps what only looks like the escape of one', () => {
    const text = String.raw`\ud800 \\udc00 \n`;
    assert.equal(JSON.parse(wellFormedJson(JSON.stringify(`${text}\ud800`))), `${text}\ufffd`);
  });

  it('stands for the well-formed version of any text', () => {
    const unit = fc.oneof(
      fc.constantFrom('\\', '"', 'u', 'd800', '\ud83d', '\ude48', '\n', '\0'),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        assert.equal(JSON.parse(wellFormedJson(JSON.stringify(text))), text.toWellFormed());
      }),
    );
  });
});
