import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { ledgerFile } from '../../../../../agent/slowlogs/ledger/ledger-file.js';
import type { LedgerState } from '../../../../../agent/slowlogs/ledger/ledger-state.js';
import { memoryOutbox } from '../../../../support/agent-components.js';
import { ledgerIn, numbersIn, searchLine, watchOver } from '../../../../support/slow-logs.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';

/** A gzip file whose only block is not marked as the last one. */
function stored(text: string): Buffer {
  const packed = gzipSync(text, { level: 0 });
  packed.writeUInt8(0, 10);
  return packed.subarray(0, packed.length - 8);
}

describe('a compressed slow log that is damaged', () => {
  const folder = temporaryFolder();
  const log = (turn = ''): string => `${folder()}/logs/shop_index_search_slowlog${turn}`;
  let outbox = memoryOutbox();
  beforeEach(async () => {
    mkdirSync(`${folder()}/logs`);
    outbox = memoryOutbox();
    await collect(); // the agent runs before the logs exist
  });
  /** Collects as a newly started process. */
  async function collect(settings: Parameters<typeof watchOver>[3] = {}) {
    const watch = await watchOver(folder(), outbox, {}, settings);
    const hasMore = await watch.collect();
    return { ...watch.status(), hasMore };
  }
  const lines = [0, 1, 2, 3, 4, 5, 6, 7].map((number) => searchLine(number)).join('');
  /** Stored, not deflated, so every byte of the text up to the damage is there. */
  const packed = gzipSync(lines, { level: 0 });
  const flipped = Buffer.from(packed);
  flipped.writeUInt8(packed.readUInt8(packed.length - 8) ^ 1, packed.length - 8);
  /** Half of the lines; `struck` then has a damaged header of a second block. */
  const first = [0, 1, 2, 3].map((number) => searchLine(number)).join('');
  const struck = Buffer.concat([stored(first), Buffer.from([0, 1, 2, 3, 4]), Buffer.from(lines)]);

  for (const [what, bytes, readable] of [
    ['lost its end', packed.subarray(0, packed.length - searchLine(7).length), 7],
    ['lost most of it', packed.subarray(0, searchLine(0).length * 2 + 100), 2],
    ['lost its checksum', packed.subarray(0, packed.length - 8), 8],
    ['has a wrong checksum', flipped, 8],
    ['has a wrong byte in the middle', struck, 4],
  ] as const)
    it(`gives what can be read, once, and is named in a diagnostic: it ${what}`, async () => {
      writeFileSync(`${log('-1')}.json.gz`, bytes);
      writeFileSync(`${log()}.json`, searchLine(8));
      const statuses = [await collect(), await collect(), await collect()];
      assert.deepEqual(
        numbersIn(outbox).toSorted((a, b) => a - b),
        [...Array(readable).keys(), 8],
      );
      for (const { notes, hasMore } of statuses) {
        assert.match(notes.join(), /^\S+_slowlog-1\.json\.gz can't be read to its end \(\w+\): .* remove it/);
        assert.equal(hasMore, false);
      }
    });

  for (const [what, bytes] of [
    ['is no gzip', Buffer.from(lines)],
    ['has only its head', packed.subarray(0, 10)],
    ['ends within its first entry', packed.subarray(0, 100)],
  ] as const)
    it(`is named in a diagnostic where nothing of it can be read, and holds up no other: it ${what}`, async () => {
      writeFileSync(`${log('-1')}.json.gz`, bytes);
      writeFileSync(`${log()}.json`, searchLine(8));
      for (const { notes, hasMore } of [await collect(), await collect()]) {
        assert.match(notes.join(), /slowlog-1\.json\.gz can't be read/);
        assert.equal(hasMore, false);
      }
      assert.deepEqual(numbersIn(outbox), [8]);
    });

  it('is read whole if it is two gzip streams in a row with zeros after their end', async () => {
    const two = [lines.slice(0, 1_000), lines.slice(1_000)].map((part) => gzipSync(part));
    writeFileSync(`${log('-1')}.json.gz`, Buffer.concat([...two, Buffer.alloc(40_000)]));
    assert.deepEqual((await collect()).notes, []);
    assert.deepEqual(numbersIn(outbox), [0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('gives every complete line, wherever it was cut off', async () => {
    const many = Array.from({ length: 500 }, (_, number) => searchLine(number)).join('');
    const deflated = gzipSync(many);
    const cuts = fc.integer({ min: 1_000, max: deflated.length - 1 });
    await fc.assert(
      fc.asyncProperty(cuts, async (length) => {
        rmSync(`${folder()}/state`, { recursive: true, force: true });
        outbox = memoryOutbox();
        const part = deflated.subarray(0, length);
        writeFileSync(`${log('-1')}.json.gz`, part);
        await collect({ maxEntriesPerCollection: 1_000 });
        const there = gunzipSync(part, { finishFlush: constants.Z_SYNC_FLUSH }).toString();
        assert.equal(numbersIn(outbox).length, there.split('\n').length - 1);
      }),
      { numRuns: 20 },
    );
  });

  it('gives nothing twice if its rest arrives after a kill', async () => {
    writeFileSync(`${log()}.json`, lines);
    const file = ledgerFile(`${folder()}/state`);
    let writes = 0;
    // Fails once all entries are handed over, before the positions are stored.
    const dying = { read: () => file.read(), write: dyingWrite };
    async function dyingWrite(state: LedgerState): Promise<void> {
      if (outbox.taken.length > 0) throw new Error('killed');
      writes += 1;
      await file.write(state);
    }
    const ledger = await ledgerIn(folder(), outbox, dying);
    await (await watchOver(folder(), outbox, { ledger })).collect();
    assert.ok(writes > 0 && outbox.taken.length === 1);
    rmSync(`${log()}.json`);
    writeFileSync(`${log('-1')}.json.gz`, packed.subarray(0, 1_000));
    await collect();
    writeFileSync(`${log('-1')}.json.gz`, packed);
    await collect();
    assert.deepEqual(numbersIn(outbox), [0, 1, 2, 3, 4, 5, 6, 7]);
  });
});
