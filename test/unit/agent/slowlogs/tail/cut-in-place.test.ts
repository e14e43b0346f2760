import assert from 'node:assert/strict';
import { closeSync, copyFileSync, mkdirSync, openSync, truncateSync, writeSync } from 'node:fs';
import { memoryOutbox } from '../../../../support/agent-components.js';
import { numbersIn, searchLine, watchOver } from '../../../../support/slow-logs.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';

describe('a log that is truncated in place while its writer keeps its offset', () => {
  const folder = temporaryFolder();
  const log = (turn = ''): string => `${folder()}/logs/shop_index_search_slowlog${turn}.json`;
  let outbox = memoryOutbox();
  let writer: number | undefined;
  let stands = 0;
  beforeEach(() => {
    mkdirSync(`${folder()}/logs`);
    outbox = memoryOutbox();
    writer = openSync(log(), 'w');
    stands = 0;
  });
  afterEach(() => {
    if (writer !== undefined) closeSync(writer);
  });
  /** Writes as a process with its own offset does: bytes that it has not written read as zeros. */
  function write(text: string): void {
    writeSync(writer ?? 0, text, stands);
    stands += Buffer.byteLength(text);
  }
  /** Collects as a newly started process. */
  async function collect() {
    const watch = await watchOver(folder(), outbox);
    const hasMore = await watch.collect();
    return { ...watch.status(), hasMore };
  }
  const mebibyte = 1024 * 1024;

  it('is read from its first entry, once, however many zeros precede it', async () => {
    write(searchLine(0));
    await collect();
    for (const [turn, zeros] of [4_090, mebibyte - 10, mebibyte, 3 * mebibyte, 40 * mebibyte].entries()) {
      copyFileSync(log(), log(`-${turn + 1}`));
      truncateSync(log());
      stands += zeros;
      // A line is no entry before its end is written.
      const [begun, ended] = [searchLine(2 * turn + 1).slice(0, 150), searchLine(2 * turn + 1).slice(150)];
      write(begun);
      assert.deepEqual((await collect()).notes, [], `${zeros} zeros, and no whole line`);
      write(ended);
      while ((await collect()).hasMore);
      write(searchLine(2 * turn + 2));
      await collect();
      assert.deepEqual((await collect()).notes, [], `${zeros} zeros`);
    }
    assert.deepEqual(
      numbersIn(outbox),
      Array.from({ length: 11 }, (_, number) => number),
    );
  });

  it('is read in bounded memory', async () => {
    stands = 256 * mebibyte;
    write(searchLine(0));
    const before = process.memoryUsage().rss;
    await collect();
    assert.deepEqual(numbersIn(outbox), [0]);
    const grown = (process.memoryUsage().rss - before) / mebibyte;
    assert.ok(grown < 128, `${grown.toFixed()} MiB`);
  });
});
