import assert from 'node:assert/strict';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Scrubber } from '../../../../../agent/slowlogs/scrub-pool.js';
import { scrubOperation } from '../../../../../agent/slowlogs/scrub-operation.js';
import { memoryOutbox } from '../../../../support/agent-components.js';
import { numbersIn, plainSearchLine, searchLine, watchOver } from '../../../../support/slow-logs.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => searchLine(from + index)).join('');
const plain = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => plainSearchLine(from + index)).join('');
const range = (to: number): readonly number[] => Array.from({ length: to }, (_, number) => number);

describe('collecting from files of slow logs', () => {
  const folder = temporaryFolder();
  const log = (ending = '.json', kind = 'search'): string =>
    `${folder()}/logs/shop_index_${kind}_slowlog${ending}`;
  let outbox = memoryOutbox();
  beforeEach(() => {
    mkdirSync(`${folder()}/logs`);
    outbox = memoryOutbox();
  });
  /** Shortens texts: scrubbing is not tested here, and is slow for long texts. */
  const scrubber: Scrubber = {
    scrub: (jobs) =>
      Promise.resolve(
        jobs.map(({ operation, ...job }) =>
          scrubOperation({
            ...job,
            operation: { ...operation, source: operation.source?.slice(0, 200) ?? null },
          }),
        ),
      ),
    stop: () => Promise.resolve(),
  };
  async function collect(settings: Parameters<typeof watchOver>[3] = {}) {
    const watch = await watchOver(folder(), outbox, { scrubber }, settings);
    const hasMore = await watch.collect();
    return { ...watch.status(), hasMore };
  }
  const sorted = (): readonly number[] => numbersIn(outbox).toSorted((a, b) => a - b);

  it('distinguishes files that start with the same line, which is not an entry', async () => {
    for (const header of ['', '# log opened']) {
      rmSync(`${folder()}/state`, { recursive: true, force: true });
      outbox = memoryOutbox();
      writeFileSync(log(), `${header}\n${lines(0, 1)}`);
      writeFileSync(log('.json', 'indexing'), `${header}\n${lines(1, 4)}`);
      await collect();
      appendFileSync(log(), lines(4, 6));
      await collect();
      appendFileSync(log('.json', 'indexing'), lines(6, 7));
      await collect();
      // The file was overwritten with a line break.
      writeFileSync(log(), `${header}\n${lines(7, 12)}`);
      await collect();
      assert.deepEqual(sorted(), range(12), header);
    }
  });

  it('reads the longer of two copies, and reads on in a file that was unpacked again', async () => {
    writeFileSync(log(), lines(0, 3));
    await collect();
    copyFileSync(log(), log('-1.json'));
    utimesSync(log('-1.json'), 1, 1);
    appendFileSync(log(), lines(3, 5));
    await collect();
    rmSync(log());
    rmSync(log('-1.json'));
    const packed = gzipSync(lines(0, 7));
    writeFileSync(log('-2.json.gz'), packed);
    await collect();
    rmSync(log('-2.json.gz'));
    writeFileSync(log('-2.json'), gunzipSync(packed));
    await collect();
    assert.deepEqual(numbersIn(outbox), range(7));
  });

  it('takes the first entry after a byte order mark, and after the zeros of an emptied log', async () => {
    writeFileSync(log(), `\uFEFF${lines(0, 2)}`);
    writeFileSync(log('-1.json'), Buffer.concat([Buffer.alloc(5_000), Buffer.from(lines(2, 4))]));
    writeFileSync(log('-2.json'), Buffer.concat([Buffer.alloc(5_000), Buffer.from(lines(4, 6))]));
    await collect();
    await collect();
    assert.deepEqual(sorted(), range(6));
  });

  it('holds no more than some 32 MB of texts, and takes every entry all the same, once', async () => {
    const pad = `,\\"pad\\":\\"${'x'.repeat(900_000)}\\"}"`;
    const long = (number: number): string => searchLine(number).replace('}"', pad);
    const text = range(45).map(long).join('');
    for (const write of [
      () => writeFileSync(log(), text),
      () => writeFileSync(log('-1.json.gz'), gzipSync(text)),
    ]) {
      rmSync(`${folder()}/logs`, { recursive: true });
      rmSync(`${folder()}/state`, { recursive: true, force: true });
      mkdirSync(`${folder()}/logs`);
      outbox = memoryOutbox();
      writeFileSync(log('.json', 'indexing'), searchLine(45));
      await collect();
      write();
      const taken: number[] = [];
      for (let hasMore = true; hasMore;) {
        const status = await collect();
        taken.push(status.taken);
        hasMore = status.hasMore;
      }
      assert.ok(Math.max(...taken) <= 42, taken.join());
      assert.deepEqual(sorted(), range(46));
    }
  });

  it('takes what can be read of a damaged file once, and reads it again when it has changed', async () => {
    const rotated = log('-1.json.gz');
    const whole = gzipSync(lines(0, 5_000));
    writeFileSync(rotated, whole.subarray(0, whole.length * 0.9));
    const limit = { maxEntriesPerCollection: 10_000 };
    const at = Math.ceil(Date.now() / 1_000);
    utimesSync(rotated, at, at);
    const first = await collect(limit);
    assert.match(first.notes.join(), /can't be read to its end \(Z_BUF_ERROR\): .* remove it/);
    assert.ok(first.taken > 1_000);
    const { size } = statSync(rotated);
    // Without decompression, this file can't be told from the previous one.
    writeFileSync(rotated, Buffer.concat([whole.subarray(0, 20_000), Buffer.alloc(size - 20_000)]));
    utimesSync(rotated, at, at);
    const second = await collect(limit);
    assert.deepEqual([second.taken, second.notes.length], [0, 1]);
    writeFileSync(rotated, whole);
    const third = await collect(limit);
    assert.deepEqual(third.notes, []);
    assert.deepEqual(numbersIn(outbox), range(5_000));
    writeFileSync(log('-2.json.gz'), '');
    assert.deepEqual((await collect(limit)).notes, []);
  });

  it('reads the logs of 6.8 to their end after an upgrade to 7.x, and the duplicate logs of 7.x once', async () => {
    writeFileSync(log('.log'), plain(0, 3));
    writeFileSync(log('.log', 'indexing'), plain(20, 21));
    const at = Math.floor(Date.now() / 1_000) - 10;
    for (const path of [log('.log'), log('.log', 'indexing')]) utimesSync(path, at, at);
    await collect();
    assert.deepEqual(sorted(), [0, 1, 2, 20]);
    // While the agent is down: the rest of 6.8, one rotation, and 7.x, which continues 6.8's file.
    writeFileSync(log('-1.log.gz'), gzipSync(plain(0, 5)));
    writeFileSync(log('.log'), plain(5, 9));
    writeFileSync(log('.json'), lines(5, 9));
    appendFileSync(log('.log', 'indexing'), plain(21, 25));
    writeFileSync(log('.json', 'indexing'), '');
    for (const path of [log('.log'), log('.log', 'indexing')]) utimesSync(path, at, at);
    await collect();
    assert.deepEqual(sorted(), [...range(9), 20]);
    appendFileSync(log('.json', 'indexing'), lines(23, 25));
    await collect();
    assert.deepEqual(sorted(), [...range(9), 20, 21, 22, 23, 24]);
    // Without the first JSON file, no file shows any longer where the 7.x log starts.
    appendFileSync(log('.log', 'indexing'), plain(25, 28));
    writeFileSync(log('.json', 'indexing'), lines(27, 28));
    utimesSync(log('.log', 'indexing'), at, at);
    await collect();
    renameSync(log('.log', 'indexing'), log('-1.log', 'indexing'));
    await collect();
    assert.deepEqual(sorted(), [...range(9), 20, 21, 22, 23, 24, 27]);
  });

  it('leaves a duplicate text log for its JSON even if the entries they share are below minDurationMs', async () => {
    const settings = { minDurationMs: 6 };
    const at = Math.floor(Date.now() / 1_000) - 10;
    const put = (text: string, json: string): void => {
      writeFileSync(log('.log'), text);
      utimesSync(log('.log'), at, at);
      if (json !== '') writeFileSync(log('.json'), json);
    };
    const slow = plainSearchLine(0, 9);
    put(slow, '');
    await collect(settings);
    put(slow + plain(1, 3), lines(1, 3));
    await collect(settings);
    put(slow + plain(1, 3) + plainSearchLine(3, 9), searchLine(4, 9));
    await collect(settings);
    assert.deepEqual(sorted(), [0, 4]);
  });

  it('leaves out entries that are too old for any server, and says how many', async () => {
    const early = -400 * 86_400_000;
    writeFileSync(log(), lines(early, early + 2) + lines(2, 4));
    assert.match(
      (await collect()).notes.join(),
      /^2 of the last collection's entries are more than 400 days old/,
    );
    assert.deepEqual(sorted(), [2, 3]);
  });

  it('names a file that has no entry in a known format', async () => {
    for (const text of [
      Buffer.from(lines(0, 2), 'utf16le'),
      JSON.stringify({ level: 'WARN', text: 'x' }) + '\n',
      '2026-11-01 00:00:00,123 WARN [i.s.s.query] [n1] [p][0] took[1ms], took_millis[1], source[{}]\n',
    ]) {
      writeFileSync(log(), text);
      assert.match(
        (await collect()).notes.join(),
        /shop_index_search_slowlog\.json has no entry in a known format/,
      );
    }
    writeFileSync(log(), searchLine(0).slice(0, 50));
    assert.deepEqual((await collect()).notes, []);
  });
});
