import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { TailState } from '../../../../../agent/slowlogs/tail/positions.js';
import { memoryOutbox } from '../../../../support/agent-components.js';
import { numbersIn, searchLine, watchOver } from '../../../../support/slow-logs.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';

describe('slow logs after an earlier version, which read the one that was named alone', () => {
  const folder = temporaryFolder();
  const log = (kind: string, ending = '.json'): string =>
    `${folder()}/logs/shop_index_${kind}_slowlog${ending}`;
  let outbox = memoryOutbox();
  beforeEach(() => {
    mkdirSync(`${folder()}/logs`);
    outbox = memoryOutbox();
  });
  const lines = (from: number, to: number): string =>
    Array.from({ length: to - from }, (_, index) => searchLine(from + index)).join('');
  const old = (path: string): void => utimesSync(path, 1_763_000_000, 1_763_000_000);
  const sorted = (): readonly number[] => numbersIn(outbox).toSorted((a, b) => a - b);
  async function collect(settings: Parameters<typeof watchOver>[3] = {}) {
    const watch = await watchOver(folder(), outbox, {}, { searchLogPath: log('search'), ...settings });
    while (await watch.collect());
  }
  /** Reduces the ledger to what an earlier version kept: no places, and in the first version no start either. */
  function asEarlier(isFirst: boolean): void {
    const path = `${folder()}/state/ledger.json`;
    const ledger = JSON.parse(readFileSync(path, 'utf8')) as { tails: Record<string, TailState> };
    const tails = Object.entries(ledger.tails).map(
      ([page, { cluster, since, positions, taken }]) => [page, { cluster, since, positions, taken }] as const,
    );
    const read = tails.flatMap(([, { positions }]) => Object.entries(positions));
    const first = [['shop', { positions: Object.fromEntries(read) }]] as const;
    writeFileSync(
      path,
      JSON.stringify({ ...ledger, tails: Object.fromEntries<object>(isFirst ? first : tails) }),
    );
  }
  /** 65 MiB of another cluster's entries, before those of this one. */
  const history = (): string => {
    const foreign = searchLine(-1).replace(
      /"cluster\.uuid": "[^"]+"/,
      '"cluster.uuid": "AAAAAAAAAAAAAAAAAAAAAA"',
    );
    const padded = foreign.replace('"source": "', `"source": "${'x'.repeat(100_000)}`);
    return searchLine(100) + padded.repeat(682);
  };

  for (const [what, isFirst] of [
    ['the first', true],
    ['a later one', false],
  ] as const)
    it(`are not read anew: those of the other begin as for a new agent (${what})`, async () => {
      writeFileSync(log('search'), lines(0, 3));
      await collect();
      asEarlier(isFirst);
      // Written while the earlier version ran, which did not read this log.
      writeFileSync(log('indexing', '-1.json.gz'), gzipSync(lines(200, 205)));
      writeFileSync(log('indexing'), history() + lines(10, 12));
      old(log('indexing', '-1.json.gz'));
      // Written while no version ran: everything in the log that it read counts.
      appendFileSync(log('search'), lines(3, 5));
      writeFileSync(log('search', '-1.json.gz'), gzipSync(lines(300, 302)));
      await collect();
      appendFileSync(log('indexing'), lines(12, 13));
      await collect();
      assert.deepEqual(sorted(), [0, 1, 2, 3, 4, 10, 11, 12, 300, 301]);
    });

  it('are read whole where it read the other as well, without a path', async () => {
    writeFileSync(log('search'), lines(0, 3));
    writeFileSync(log('indexing'), lines(10, 12));
    await collect({ searchLogPath: '' });
    asEarlier(false);
    writeFileSync(log('indexing', '-1.json.gz'), gzipSync(lines(20, 22)));
    await collect();
    assert.deepEqual(sorted(), [0, 1, 2, 10, 11, 20, 21]);
  });

  it('are those of a kill in the first collection of this version as well, which has read both', async () => {
    writeFileSync(log('search'), lines(0, 3));
    writeFileSync(log('indexing'), lines(10, 12));
    let puts = 0;
    const dying = {
      bytesCommitted: () => outbox.bytesCommitted('slow-operations'),
      put: () => {
        puts += 1;
        return Promise.reject(new Error('killed'));
      },
    };
    const watch = await watchOver(folder(), dying, {}, { searchLogPath: log('search') });
    await watch.collect();
    assert.equal(puts, 1);
    const path = `${folder()}/state/ledger.json`;
    const { tails } = JSON.parse(readFileSync(path, 'utf8')) as { tails: Record<string, TailState> };
    for (const { positions, places } of Object.values(tails))
      assert.equal(places === null, Object.keys(positions).length === 0);
    await collect();
    assert.deepEqual(sorted(), [0, 1, 2, 10, 11]);
  });
});
