import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  longestTail,
  longestText,
  readLines,
  type Line,
} from '../../../../../agent/slowlogs/tail/read-lines.js';

/** A line with `length` characters and the next line, read in pieces of `read` bytes. */
async function linesOf(length: number, read: number): Promise<readonly Line[]> {
  const bytes = Buffer.from(`${text(length)}\nnext\n`);
  async function* reads(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += read)
      yield await Promise.resolve(bytes.subarray(at, at + read));
  }
  const lines: Line[] = [];
  for await (const line of readLines(reads(), 0)) lines.push(line);
  return lines;
}

/** A text that differs at every position, so that no two of its ends are equal. */
const whole = Array.from({ length: 200_000 }, (_, number) => String(number).padStart(8, '.')).join('');
const text = (length: number): string => whole.slice(0, length);

async function tailOf(length: number, read: number): Promise<string | null> {
  const [line, next] = await linesOf(length, read);
  assert.equal(line?.text, text(Math.min(length, longestText)));
  assert.deepEqual([line.offset, line.end], [0, length + 1]);
  assert.deepEqual(next, { offset: length + 1, end: length + 6, text: 'next', tail: null });
  return line.tail;
}

describe('a line that is longer than the part kept in memory', () => {
  it('has a tail that starts with the first character that does not fit into its beginning', async () => {
    assert.equal(await tailOf(longestText, longestTail), null);
    assert.equal(await tailOf(longestText + 1, longestTail), text(longestText + 1).slice(-1));
  });

  it('has a tail of at most 131,071 characters if each read is as long as the wanted tail', async () => {
    for (const [behind, held] of [
      [longestTail - 1, longestTail - 1],
      [longestTail, longestTail],
      [2 * longestTail - 1, 131_071],
      [2 * longestTail, longestTail],
      [3 * longestTail - 1, 131_071],
    ] as const)
      assert.equal(
        await tailOf(longestText + behind, longestTail),
        text(longestText + behind).slice(-held),
        `${behind} characters behind the beginning`,
      );
  });

  it('keeps its end, at least 64 KiB and less than one read more, however it is read', async () => {
    const cases = fc.tuple(fc.integer({ min: 1, max: 500_000 }), fc.integer({ min: 1_000, max: 300_000 }));
    await fc.assert(
      fc.asyncProperty(cases, async ([behind, read]) => {
        const tail = (await tailOf(longestText + behind, read)) ?? '';
        assert.ok(text(longestText + behind).endsWith(tail));
        assert.ok(tail.length >= Math.min(behind, longestTail) && tail.length < longestTail + read);
      }),
      { numRuns: 50 },
    );
  });
});
