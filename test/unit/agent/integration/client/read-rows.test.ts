import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { readRows } from '../../../../../agent/integration/client/read-rows.js';

async function rowsOf(
  text: string | Buffer,
  sizes: readonly number[] = [],
  encoding?: string,
): Promise<unknown[]> {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % Math.max(1, sizes.length)] ?? bytes.length;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  const rows: unknown[] = [];
  await readRows(Readable.from(pieces), encoding, 1_000_000, (row) => rows.push(row));
  return rows;
}

describe('an array that is read row by row', () => {
  it('gives what parsing it as a whole gives, wherever the network cuts it', async () => {
    const row = fc.oneof(
      fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
      fc.array(fc.jsonValue()),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(row),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(0, 2),
        async (array, sizes, indent) => {
          const text = JSON.stringify(array, null, indent);
          assert.deepEqual(await rowsOf(text, sizes), JSON.parse(text));
          assert.deepEqual(await rowsOf(gzipSync(text), sizes, 'gzip'), JSON.parse(text));
        },
      ),
    );
  });

  for (const [what, text] of [
    ['ends early', '[{"a":1},{"b"'],
    ['is an object', '{"a":[{}]}'],
    ['holds texts', '["a"]'],
    ['holds what is no JSON', '[{a}]'],
    ['goes on after its end', '[{}][{}]'],
    ['is empty', ''],
  ] as const) {
    it(`is refused when it ${what}`, async () => {
      await assert.rejects(rowsOf(text), SyntaxError);
    });
  }

  it('is refused when it is longer than the client takes', async () => {
    const long = `[${'{"a":"b"},'.repeat(200_000)}{}]`;
    await assert.rejects(rowsOf(long, [65_536]), /longer than 1000000 bytes/);
  });
});
