import assert from 'node:assert/strict';
import { behindBlanks, blanksFrom, isBlank } from '../../../../../../agent/slowlogs/scrub/rules/blanks.js';
import { Units } from '../../../../../../agent/slowlogs/scrub/units.js';

describe('blanks read by hand', () => {
  it('are the same as those of an expression', () => {
    const differing = Array.from({ length: 0x10000 }, (_, code) => code).filter(
      (code) => isBlank(code) !== /\s/.test(String.fromCharCode(code)),
    );
    assert.deepEqual(differing, []);
  });

  it('are passed over up to the end of a text, or to its beginning', () => {
    assert.equal(behindBlanks(new Units('a \t\u00a0'), 1, 20), 4);
    assert.equal(behindBlanks(new Units('a   b'), 1, 2), 3);
    assert.equal(blanksFrom(new Units('  \n'), 3, 20), 0);
    assert.equal(blanksFrom(new Units('a   b'), 4, 2), 2);
  });
});
