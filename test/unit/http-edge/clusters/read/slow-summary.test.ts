import assert from 'node:assert/strict';
import { readSlowSummary } from '../../../../../http-edge/clusters/read/slow-summary.js';
import type { SlowFilter } from '../../../../../http-edge/clusters/slow-filter.js';
import type { Store } from '../../../../../http-edge/clusters/read/store.js';

const minute = 60;
/** Seconds since 1970: a whole minute. */
const begin = 1_795_327_200;
const range = { from: begin * 1_000_000, to: (begin + 2 * minute) * 1_000_000 };

interface Report {
  readonly agent?: string;
  readonly said_at?: number;
  readonly notes?: readonly string[];
  readonly search?: string;
  readonly indexing?: string;
}

/** A cluster with reports in both minutes; its slow logs have three searches in the first. */
const storeWith = (reports: readonly Report[]): Store => ({
  query: <Row>(sql: string) => {
    const answer = sql.includes("section = 'capabilities'")
      ? reports.map((report) => ({
          ...{ agent: 'a', said_at: begin - minute, notes: [], search: 'true', indexing: 'true' },
          ...report,
        }))
      : sql.includes('AS indexing')
        ? [{ timestamp: begin, search: '3', indexing: '0' }]
        : sql.includes('DISTINCT')
          ? [{ timestamp: begin }, { timestamp: begin + minute }]
          : [];
    return Promise.resolve(answer as Row[]);
  },
});

interface Point {
  readonly search: number | null;
  readonly indexing: number | null;
  readonly search_gap: string | null;
  readonly indexing_gap: string | null;
}

const points = async (reports: readonly Report[], filter: SlowFilter = {}): Promise<readonly Point[]> => {
  const answer = await readSlowSummary(storeWith(reports), { workspace: 'w', uuid: 'u' }, range, filter);
  return (answer as { readonly points: readonly Point[] }).points;
};
const counts = async (reports: readonly Report[], filter?: SlowFilter): Promise<unknown> =>
  (await points(reports, filter)).map(({ search, indexing }) => [search, indexing]);

describe('a count of slow operations per interval', () => {
  const unread = 'slow logs: this agent reads none, as slowlog.enabled is false in its integration.json';

  it('is zero if an agent read the logs and a threshold is set', async () => {
    assert.deepEqual(await points([{}]), [
      { at: '2026-11-22T06:00:00.000Z', search: 3, indexing: 0, search_gap: null, indexing_gap: null },
      { at: '2026-11-22T06:01:00.000Z', search: 0, indexing: 0, search_gap: null, indexing_gap: null },
    ]);
  });

  it('is null, with the reason, if the agents read no slow log', async () => {
    const [first, second] = await points([{ notes: [unread] }]);
    assert.deepEqual([first?.search, first?.search_gap], [3, null]);
    assert.deepEqual([first?.indexing, first?.indexing_gap], [null, unread]);
    assert.deepEqual([second?.search, second?.search_gap], [null, unread]);
  });

  it('is zero if one of two agents reads them', async () => {
    assert.deepEqual(await counts([{ notes: [unread] }, { agent: 'b' }]), [
      [3, 0],
      [0, 0],
    ]);
  });

  it('is null if no threshold is set', async () => {
    const [first] = await points([{ indexing: 'false' }]);
    assert.equal(first?.indexing, null);
    assert.match(first.indexing_gap ?? '', /^No slow-log threshold of indexing is configured/);
  });

  it('is null if it is unknown whether a threshold is set, unless something was logged', async () => {
    assert.deepEqual(await counts([{ search: '', indexing: 'null' }]), [
      [3, null],
      [0, null],
    ]);
  });

  it("is null if no agent reported, and follows each agent's latest report", async () => {
    assert.deepEqual(await counts([{ said_at: begin - 20 * minute }]), [
      [3, null],
      [null, null],
    ]);
    assert.deepEqual(await counts([{ notes: [unread] }, { said_at: begin + minute }]), [
      [3, null],
      [0, 0],
    ]);
  });

  it('is null for a kind that is not asked for', async () => {
    const [first] = await points([{}], { kind: 'search' });
    assert.deepEqual([first?.search, first?.indexing], [3, null]);
    assert.equal(first?.indexing_gap, 'Only search was requested.');
  });
});
