import assert from 'node:assert/strict';
import fc from 'fast-check';
import { crc32c } from '../../../../../runtime/kafka/protocol/write-record-batch.js';

/** Bit by bit, as in the definition. */
function byDefinition(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return (crc ^ 0xffff_ffff) >>> 0;
}

describe('crc32c', () => {
  // RFC 3720, appendix B.4, and the check value of CRC catalogues.
  const ascending = Uint8Array.from({ length: 32 }, (_, at) => at);
  for (const [what, bytes, wanted] of [
    ['nothing', new Uint8Array(0), 0],
    ['the check text', Buffer.from('123456789'), 0xe3069283],
    ['32 zeros', new Uint8Array(32), 0x8a9136aa],
    ['32 ones', new Uint8Array(32).fill(0xff), 0x62a8ab43],
    ['32 ascending bytes', ascending, 0x46dd794e],
    ['32 descending bytes', ascending.toReversed(), 0x113fdb5c],
  ] as const)
    it(`is the published one of ${what}`, () => assert.equal(crc32c(bytes), wanted));

  it('is what the definition gives for any range of any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(100), fc.nat(100), (bytes, one, other) => {
        const [from, to] = [one, other].map((at) => Math.min(at, bytes.length)).sort((a, b) => a - b);
        assert.equal(crc32c(bytes, from, to), byDefinition(bytes.subarray(from, to)));
      }),
    );
  });
});
