import assert from 'node:assert/strict';
import { readEntries, type Entry } from '../../../../../agent/slowlogs/tail/read-entries.js';

const head = '[2026-11-21T07:08:20,922][WARN ][i.s.s.query] [n1] [orders][1] took[7ms], source[{';

async function entriesOf(lines: readonly string[]): Promise<readonly Entry[]> {
  const text = Buffer.from([head, ...lines, ''].join('\n'));
  const entries: Entry[] = [];
  for await (const entry of readEntries(chunksOf(text), 0, true)) entries.push(entry);
  return entries;
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 256 * 1024) {
    yield await Promise.resolve(bytes.subarray(at, at + 256 * 1024));
  }
}

/** The minimum of two tries: other work of the process can only lengthen one. */
async function leastOf(figure: () => Promise<number>): Promise<number> {
  return Math.min(await figure(), await figure());
}

describe('an entry of very many lines', function () {
  this.timeout(120_000);

  it('is read in linear time, even if the lines are short or empty', async () => {
    for (const line of ['a', '']) {
      const timeOf = async (count: number): Promise<number> => {
        const lines = Array<string>(count).fill(line);
        const before = process.cpuUsage().user;
        await entriesOf(lines);
        return process.cpuUsage().user - before;
      };
      // For four times the lines, linear work takes four times as long, quadratic work sixteen times.
      const growth = (await leastOf(() => timeOf(100_000))) / (await leastOf(() => timeOf(25_000)));
      assert.ok(growth < 10, `${JSON.stringify(line)}: ${growth.toFixed(1)} times as long`);
    }
  });
});
