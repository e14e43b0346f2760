import assert from 'node:assert/strict';
import type { SearchClient } from '../../../../agent/collectors/client-port.js';
import {
  SlowLogThresholdWatch,
  thresholdsIn,
  type KnownThresholds,
} from '../../../../agent/collectors/slow-log-thresholds.js';

describe('slow-log thresholds', () => {
  it('are set if any index has one that is not switched off', () => {
    const search = { settings: { 'index.search.slowlog.threshold.query.warn': '10s' } };
    const indexing = { settings: { 'index.indexing.slowlog.threshold.index.info': '0ms' } };
    const off = { settings: { 'index.search.slowlog.threshold.fetch.debug': '-1' } };
    assert.deepEqual(thresholdsIn({}), { search: false, indexing: false });
    assert.deepEqual(thresholdsIn({ a: off }), { search: false, indexing: false });
    assert.deepEqual(thresholdsIn({ a: off, b: search }), { search: true, indexing: false });
    assert.deepEqual(thresholdsIn({ a: search, b: indexing }), { search: true, indexing: true });
  });

  it('are unknown if the answer cannot be read', () => {
    assert.equal(thresholdsIn('<html>'), null);
    assert.equal(thresholdsIn(null), null);
  });

  const client = (existing: readonly string[], seen: object, thresholds: object): SearchClient => ({
    get(path) {
      const health = { indices: Object.fromEntries(existing.map((name) => [name, { status: 'green' }])) };
      const body = path.startsWith('/_cluster/health')
        ? health
        : path.includes('index.uuid')
          ? seen
          : thresholds;
      return Promise.resolve({ status: 200, body, bytes: 2 });
    },
    explain: () => Promise.reject(new Error('never asked')),
  });
  const known = (of: SearchClient): Promise<KnownThresholds> =>
    new SlowLogThresholdWatch({ requestTimeoutMs: 15_000 }).current(of, 0, new AbortController().signal);

  it('are not set if every index may be seen and none sets one; system indices do not count', async () => {
    const said = await known(client(['orders', '.security-7'], { orders: {} }, {}));
    assert.deepEqual(said, { thresholds: { search: false, indexing: false }, diagnostic: null });
  });

  it('are unknown if an index may not be seen, and the diagnostic names the privilege', async () => {
    const search = { mine: { settings: { 'index.search.slowlog.threshold.query.warn': '1s' } } };
    const hidden = await known(client(['mine', 'orders', '.ds-logs-1'], { mine: {} }, search));
    assert.deepEqual(hidden.thresholds, { search: true, indexing: null });
    assert.match(hidden.diagnostic ?? '', /2 of the indices cannot be seen.*monitor on the indices \*/);
  });

  it('are looked for every minute, with one call, while none is set; their absence is verified less often', async () => {
    const asked: string[] = [];
    let set: object = {};
    const of = client(['orders'], { orders: {} }, {});
    const watched: SearchClient = {
      ...of,
      get: (path) => {
        asked.push(path.split('?')[0] ?? '');
        return path.includes('slowlog')
          ? Promise.resolve({ status: 200, body: set, bytes: 2 })
          : of.get(path);
      },
    };
    const watch = new SlowLogThresholdWatch({ requestTimeoutMs: 15_000 });
    const at = (minute: number) => watch.current(watched, minute * 60_000, new AbortController().signal);
    assert.deepEqual((await at(0)).thresholds, { search: false, indexing: false });
    assert.equal(asked.length, 3);
    await at(0.5);
    assert.equal(asked.length, 3);
    await at(1);
    assert.equal(asked.length, 4);
    set = { orders: { settings: { 'index.search.slowlog.threshold.query.warn': '1s' } } };
    assert.deepEqual((await at(2)).thresholds, { search: true, indexing: false });
  });

  it('are asked for less and less often while the cluster is too busy to answer', async () => {
    const calls: number[] = [];
    let elapsed = 0;
    const watch = new SlowLogThresholdWatch({ requestTimeoutMs: 15_000 });
    const busy: SearchClient = {
      get: () => {
        calls.push(elapsed);
        return Promise.resolve({ status: 429, body: {}, bytes: 2 });
      },
      explain: () => Promise.reject(new Error('never asked')),
    };
    for (; elapsed < 3_600_000; elapsed += 60_000) {
      await watch.current(busy, elapsed, new AbortController().signal);
    }
    assert.deepEqual(
      calls.map((at) => at / 60_000),
      [0, 2, 6, 14, 29, 44, 59],
    );
  });
});
