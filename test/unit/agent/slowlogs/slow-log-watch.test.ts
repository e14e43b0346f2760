import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  readFileSync,
} from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Outbox } from '../../../../agent/component.js';
import { ledgerFile, type LedgerFile } from '../../../../agent/slowlogs/ledger/ledger-file.js';
import { emptyTail, type TailState } from '../../../../agent/slowlogs/tail/positions.js';
import { memoryOutbox } from '../../../support/agent-components.js';
import { clusterUuid, ledgerIn, numbersIn, searchLine, watchOver } from '../../../support/slow-logs.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

describe('the slow logs of a cluster', () => {
  const folder = temporaryFolder();
  const log = (): string => `${folder()}/logs/shop_index_search_slowlog.json`;
  const lines = (from: number, to: number): string =>
    Array.from({ length: to - from }, (_, index) => searchLine(from + index)).join('');
  let outbox = memoryOutbox();
  beforeEach(() => {
    mkdirSync(`${folder()}/logs`);
    outbox = memoryOutbox();
  });
  /** Collects as a newly started process. */
  async function collect(
    changes: Parameters<typeof watchOver>[2] = {},
    settings: Parameters<typeof watchOver>[3] = {},
  ) {
    const watch = await watchOver(folder(), outbox, changes, settings);
    await watch.collect();
    return watch.status();
  }

  it('are read on where they were left, also by a new process', async () => {
    writeFileSync(log(), lines(0, 3));
    await collect();
    appendFileSync(log(), lines(3, 5));
    await collect();
    await collect();
    assert.deepEqual(numbersIn(outbox), [0, 1, 2, 3, 4]);
  });

  it('are read through a rotation, including what was compressed before it was read', async () => {
    writeFileSync(log(), lines(0, 3));
    await collect();
    const whole = lines(0, 6);
    writeFileSync(`${folder()}/logs/shop_index_search_slowlog-1.json.gz`, gzipSync(whole));
    rmSync(log());
    writeFileSync(log(), lines(6, 8));
    await collect();
    renameSync(log(), `${folder()}/logs/shop_index_search_slowlog-2.json`);
    appendFileSync(`${folder()}/logs/shop_index_search_slowlog-2.json`, lines(8, 9));
    writeFileSync(log(), lines(9, 10));
    await collect();
    await collect();
    assert.deepEqual(
      numbersIn(outbox).toSorted((a, b) => a - b),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
  });

  it('are read from files compressed since the agent came, and not from earlier ones', async () => {
    const rotated = (number: number): string => log().replace('.json', `-${number}.json.gz`);
    writeFileSync(rotated(1), gzipSync(lines(0, 3)));
    utimesSync(rotated(1), new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
    const { notes } = await collect({ whoIsIt: () => Promise.resolve(null) });
    assert.match(notes.join(), /cluster is not identified yet/);
    // Written, rotated and compressed before the first collection that knows the cluster's identity.
    writeFileSync(rotated(2), gzipSync(lines(3, 6)));
    writeFileSync(log(), lines(6, 7));
    await collect();
    await collect();
    assert.deepEqual(
      numbersIn(outbox).toSorted((a, b) => a - b),
      [3, 4, 5, 6],
    );
  });

  it('wait for a compressed file until it is whole', async () => {
    writeFileSync(log(), lines(0, 2));
    await collect();
    rmSync(log());
    const rotated = `${folder()}/logs/shop_index_search_slowlog-1.json.gz`;
    const whole = gzipSync(lines(0, 400));
    writeFileSync(rotated, whole.subarray(0, whole.length - 200));
    const { notes } = await collect({}, { maxEntriesPerCollection: 1_000 });
    assert.match(notes.join(), /can't be read/);
    writeFileSync(rotated, whole);
    await collect({}, { maxEntriesPerCollection: 1_000 });
    assert.equal(numbersIn(outbox).length, 400);
    assert.equal(new Set(numbersIn(outbox)).size, 400);
  });

  it('are read from the start again if they were truncated', async () => {
    writeFileSync(log(), lines(0, 3));
    await collect();
    truncateSync(log());
    appendFileSync(log(), lines(3, 5));
    await collect();
    assert.deepEqual(numbersIn(outbox), [0, 1, 2, 3, 4]);
  });

  it('keep an incomplete last line for later, and a plain entry that might continue', async () => {
    const [first, second] = [searchLine(0), searchLine(1)];
    writeFileSync(log(), first + second.slice(0, 100));
    await collect();
    appendFileSync(log(), second.slice(100));
    await collect();
    assert.deepEqual(numbersIn(outbox), [0, 1]);

    const plain = `${folder()}/logs/shop_index_indexing_slowlog.log`;
    const head =
      '[2099-11-21T07:08:18,601][WARN ][i.i.s.index] [n1] [orders/YM_nh3zVS7q7O91VgJaFRw] took[1ms], took_millis[1], type[_doc], id[1], routing[], source[{\n';
    writeFileSync(plain, head);
    await collect();
    appendFileSync(plain, '"a":1\n}]\n');
    await collect();
    assert.equal(outbox.taken.length, 2);
    utimesSync(plain, new Date(0), new Date(0));
    await collect();
    assert.equal((outbox.taken.at(-1)?.items[0] as { source_bytes: number }).source_bytes, 9);
  });

  it('give the slowest entries if there are too many, and say how many were left out', async () => {
    writeFileSync(
      log(),
      Array.from({ length: 3_000 }, (_, index) => searchLine(index, (index * 7) % 3_000)).join(''),
    );
    const status = await collect({}, { maxEntriesPerCollection: 5, minDurationMs: 10 });
    assert.equal(status.left_out, 2_985);
    assert.match(status.notes.join(), /2985 .* skipped/);
    const took = outbox.taken.flatMap(({ items }) =>
      items.map((item) => (item as { took_ms: number }).took_ms),
    );
    assert.deepEqual(
      took.toSorted((a, b) => a - b),
      [2_995, 2_996, 2_997, 2_998, 2_999],
    );
  });

  it('give no entry of another cluster, and none twice that is logged as text and as JSON', async () => {
    writeFileSync(log(), searchLine(0) + searchLine(1).replace(clusterUuid, 'AAAAAAAAAAAAAAAAAAAAAA'));
    writeFileSync(
      log().replace('.json', '.log'),
      '[2099-11-21T07:08:20,922][WARN ][i.s.s.query] [n1] [orders][1] took[7ms], took_millis[7]\n',
    );
    writeFileSync(log().replace('shop_', 'shop2_'), searchLine(2));
    await collect();
    assert.deepEqual(numbersIn(outbox), [0]);
  });

  it('that cannot be read are noted, and hold up no other', async function () {
    if (process.getuid?.() === 0) this.skip(); // root reads everything
    writeFileSync(log(), searchLine(0));
    const closed = log().replace('search', 'indexing');
    writeFileSync(closed, searchLine(1));
    chmodSync(closed, 0);
    const { notes } = await collect();
    assert.match(notes.join(), /can't be read \(EACCES\); let the agent's user read it/);
    assert.deepEqual(numbersIn(outbox), [0]);
  });

  it('are handed over once even if they were unreadable for longer than vanished files are remembered', async () => {
    writeFileSync(log(), searchLine(0));
    await collect();
    renameSync(log(), `${folder()}/away`);
    symlinkSync(log(), log());
    const later = Date.now() + 40 * 86_400_000;
    assert.match((await collect({ now: () => later })).notes.join(), /can't be read \(ELOOP\)/);
    rmSync(log());
    renameSync(`${folder()}/away`, log());
    await collect({ now: () => later });
    assert.deepEqual(numbersIn(outbox), [0]);
  });

  it('wait in their files while the spool is full, or the cluster is still unknown', async () => {
    writeFileSync(log(), lines(0, 3));
    const unknown = await collect({ whoIsIt: () => Promise.resolve(null) });
    assert.match(unknown.notes.join(), /cluster is not identified yet/);
    outbox.full = true;
    assert.match((await collect()).notes.join(), /the spool is full/);
    outbox.full = false;
    await collect();
    await collect({ whoIsIt: () => Promise.resolve(null) });
    assert.deepEqual(numbersIn(outbox), [0, 1, 2]);
  });

  it('are handed over once even if the disk is full right after the put', async () => {
    writeFileSync(log(), lines(0, 3));
    const file = ledgerFile(`${folder()}/state`);
    let full = false;
    const filling: LedgerFile = {
      read: () => file.read(),
      write: (state) => (full ? Promise.reject(new Error('ENOSPC')) : file.write(state)),
    };
    const fillingOutbox: Outbox = {
      async put(dataset, items) {
        await outbox.put(dataset, items);
        full = true;
      },
      bytesCommitted: (dataset) => outbox.bytesCommitted(dataset),
    };
    const ledger = await ledgerIn(folder(), fillingOutbox, filling);
    const watch = await watchOver(folder(), fillingOutbox, { ledger });
    await watch.collect();
    assert.match(watch.status().notes.join(), /ENOSPC/);
    full = false;
    await watch.collect();
    assert.deepEqual(numbersIn(outbox), [0, 1, 2]);
  });

  it('are taken up to the limit again after a kill that came before the positions were stored', async () => {
    const limit = { maxEntriesPerCollection: 3 };
    writeFileSync(log(), lines(0, 3));
    const file = ledgerFile(`${folder()}/state`);
    const dying: LedgerFile = {
      read: () => file.read(),
      write: (state) => (outbox.taken.length > 0 ? Promise.reject(new Error('killed')) : file.write(state)),
    };
    const ledger = await ledgerIn(folder(), outbox, dying);
    await (await watchOver(folder(), outbox, { ledger }, limit)).collect();
    assert.deepEqual(numbersIn(outbox), [0, 1, 2]);
    appendFileSync(log(), [3, 4, 5].map((number) => searchLine(number, 500_000)).join(''));
    const { notes } = await collect({}, limit);
    assert.deepEqual(numbersIn(outbox), [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(notes, []);
  });

  it('are handed over once after a kill before the positions were stored, even if a file is missing then', async () => {
    const other = log().replace('search', 'indexing');
    const away = `${folder()}/away`;
    const file = ledgerFile(`${folder()}/state`);
    for (const hidden of [() => `${folder()}/logs`, () => other]) {
      outbox = memoryOutbox();
      rmSync(`${folder()}/state`, { recursive: true, force: true });
      writeFileSync(log(), lines(0, 3));
      writeFileSync(other, lines(3, 6));
      for (const more of [0, 2]) {
        const already = outbox.taken.length;
        appendFileSync(other, lines(6, 6 + more));
        const dying: LedgerFile = {
          read: () => file.read(),
          write: (state) =>
            outbox.taken.length > already ? Promise.reject(new Error('killed')) : file.write(state),
        };
        await collect({ ledger: await ledgerIn(folder(), outbox, dying) });
        renameSync(hidden(), away);
        await collect();
        await collect();
        renameSync(away, hidden());
        await collect();
        assert.deepEqual(
          numbersIn(outbox).toSorted(),
          lines(0, 6 + more)
            .trim()
            .split('\n')
            .map((_, n) => n),
        );
      }
    }
    assert.deepEqual(
      Object.values((await file.read()).tails).flatMap(({ taken }) => taken),
      [],
    );
  });

  /** Collects as a newly started process, at an endpoint of this cluster or another. */
  async function collectAt(endpoint: string, changes: Parameters<typeof watchOver>[2] = {}): Promise<void> {
    const ledger = await ledgerIn(folder(), outbox);
    const settings = { maxEntriesPerCollection: 3, searchLogPath: log() };
    await (
      await watchOver(folder(), outbox, { endpoint: ledger.tail(endpoint), ...changes }, settings)
    ).collect();
  }

  it('are read on where they were left through another endpoint of the cluster', async () => {
    writeFileSync(log(), lines(0, 3));
    await collectAt('n1');
    appendFileSync(log(), [3, 4, 5].map((number) => searchLine(number, 1)).join(''));
    await collectAt('n2');
    await collectAt('n1');
    assert.deepEqual(numbersIn(outbox), [0, 1, 2, 3, 4, 5]);
  });

  it('are handed over once after a kill before the positions were stored, even through another endpoint', async () => {
    writeFileSync(log(), lines(0, 3));
    const file = ledgerFile(`${folder()}/state`);
    const dying: LedgerFile = {
      read: () => file.read(),
      write: (state) => (outbox.taken.length > 0 ? Promise.reject(new Error('killed')) : file.write(state)),
    };
    const dead = await ledgerIn(folder(), outbox, dying);
    await collectAt('n1', { endpoint: dead.tail('n1') });
    await collectAt('n2');
    assert.deepEqual(numbersIn(outbox), [0, 1, 2]);
  });

  it('are read on from where an earlier version stopped, which stored positions by endpoint', async () => {
    writeFileSync(log(), lines(0, 3));
    await collectAt('n1');
    const path = `${folder()}/state/ledger.json`;
    const { tails } = JSON.parse(readFileSync(path, 'utf8')) as { tails: Record<string, TailState> };
    const known =
      Object.values(tails).find(({ positions }) => Object.keys(positions).length > 0) ?? emptyTail;
    const stale = Object.keys(known.positions).map((file) => [file, { offset: 0, seenAt: 1 }] as const);
    const earlier = { n2: { ...known, positions: Object.fromEntries(stale) }, n1: known };
    writeFileSync(path, JSON.stringify({ tails: earlier, intent: null }));
    appendFileSync(log(), lines(3, 5));
    for (const endpoint of ['n2', 'n1', 'n2']) await collectAt(endpoint);
    assert.deepEqual(numbersIn(outbox), [0, 1, 2, 3, 4]);
  });

  it('are not read again for a cluster that takes the place of another', async () => {
    const anonymous = (text: string): string => text.replaceAll(`, "cluster.uuid": "${clusterUuid}"`, '');
    writeFileSync(log(), anonymous(lines(0, 3)));
    await collectAt('n1');
    appendFileSync(log(), anonymous(lines(3, 5)));
    const whoIsIt = () => Promise.resolve({ uuid: 'AAAAAAAAAAAAAAAAAAAAAA', name: 'shop' });
    await collectAt('n1', { whoIsIt });
    await collectAt('n1', { whoIsIt });
    assert.deepEqual(numbersIn(outbox), [0, 1, 2, 3, 4]);
  });

  it('are handed over once, at whatever step the process dies', async () => {
    const text = Array.from({ length: 300 }, (_, index) =>
      searchLine(index).replace('\\"number\\"', `\\"pad\\":\\"${'x'.repeat(900)}\\",\\"number\\"`),
    ).join('');
    const settings = { maxEntriesPerCollection: 1_000 };
    let steps = 0;
    for (let death = 0; death <= steps; death += 1) {
      outbox = memoryOutbox();
      rmSync(`${folder()}/state`, { recursive: true, force: true });
      writeFileSync(log(), text);
      let step = 0;
      const live = async <Value>(act: () => Promise<Value> | Value, after: boolean): Promise<Value> => {
        if (!after && step++ === death) throw new Error('killed');
        const value = await act();
        if (after && step++ === death) throw new Error('killed');
        return value;
      };
      const file = ledgerFile(`${folder()}/state`);
      const dying: Outbox = {
        put: (dataset, items) => live(() => live(() => outbox.put(dataset, items), true), false),
        bytesCommitted: (dataset) => outbox.bytesCommitted(dataset),
      };
      const dyingFile: LedgerFile = {
        read: () => file.read(),
        write: (state) =>
          step > death ? Promise.reject(new Error('dead')) : live(() => file.write(state), true),
      };
      const ledger = await ledgerIn(folder(), dying, dyingFile);
      const watch = await watchOver(folder(), dying, { ledger }, settings);
      await watch.collect();
      steps = Math.max(steps, step);
      appendFileSync(log(), searchLine(300));
      await collect({}, settings);
      const numbers = numbersIn(outbox);
      assert.equal(new Set(numbers).size, 301, `killed at ${death}`);
      assert.equal(numbers.length, 301, `killed at ${death}`);
    }
    assert.ok(steps > 5);
  });

  it('come whole and once, however they are written, rotated and collected', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 20 }).map((count) => ({ write: count })) },
      { weight: 2, arbitrary: fc.constant('collect' as const) },
      { weight: 1, arbitrary: fc.constant('rotate' as const) },
      { weight: 1, arbitrary: fc.constant('compress' as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        rmSync(`${folder()}/logs`, { recursive: true, force: true });
        rmSync(`${folder()}/state`, { recursive: true, force: true });
        mkdirSync(`${folder()}/logs`);
        outbox = memoryOutbox();
        let written = 1;
        let rotations = 0;
        await collect(); // the agent runs before the logs exist
        writeFileSync(log(), lines(0, 1));
        for (const what of steps) {
          if (what === 'collect') await collect();
          else if (typeof what === 'object') {
            appendFileSync(log(), lines(written, written + what.write));
            written += what.write;
          } else {
            rotations += 1;
            const rotated = log().replace('.json', `-${rotations}.json`);
            renameSync(log(), rotated);
            if (what === 'compress') {
              writeFileSync(`${rotated}.gz`, gzipSync(readFileSync(rotated)));
              rmSync(rotated);
            }
            writeFileSync(log(), lines(written, written + 1));
            written += 1;
          }
        }
        await collect({}, { maxEntriesPerCollection: 10_000 });
        assert.deepEqual(
          numbersIn(outbox).toSorted((a, b) => a - b),
          Array.from({ length: written }, (_, n) => n),
        );
      }),
      { numRuns: 20 },
    );
  });
});
