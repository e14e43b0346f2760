import assert from 'node:assert/strict';
import { afterEntry } from '../../../../../http-edge/clusters/cursors.js';
import type { TimeRange } from '../../../../../http-edge/clusters/filters.js';
import { readSlowOperations, viewOfEntry } from '../../../../../http-edge/clusters/read/slow-operations.js';
import type { Store } from '../../../../../http-edge/clusters/read/store.js';

interface Stored {
  readonly thresholds: object | null;
  readonly notes: readonly (readonly string[])[];
  readonly entries?: readonly object[];
}

/** Stands in for ClickHouse with the agents' last reports, and entries of slow logs. */
const storeWith = ({ thresholds, notes, entries = [] }: Stored): Store => ({
  query: <Row>(sql: string) => {
    const told = (of: object) => ({ slot_ms: 1_795_327_200_000, details: JSON.stringify(of) });
    const answer = sql.includes('telltale.slow_operations')
      ? entries
      : sql.includes('GROUP BY reporter')
        ? notes.map((each) => told({ notes: each }))
        : sql.includes('slow_log_thresholds')
          ? [told({ slow_log_thresholds: thresholds })]
          : [];
    return Promise.resolve(answer as Row[]);
  },
});

const read = async (
  stored: Stored,
  range: TimeRange = {},
): Promise<{
  notice: string | null;
  notes: readonly string[];
  thresholds: Record<string, unknown>;
}> =>
  (await readSlowOperations(
    storeWith(stored),
    { workspace: 'w', uuid: 'u' },
    { limit: 10, after: undefined, cursors: afterEntry },
    range,
  )) as never;

describe('the list of slow operations', () => {
  const thresholds = { search: true, indexing: null };
  const unread = 'slow logs: /var/log/elasticsearch cannot be read: give the agent its group';

  it('says why none arrive although a threshold is set, with each agent note given once', async () => {
    const notes = [[unread, 'another note'], [unread]];
    const { notice, notes: told } = await read({ thresholds, notes });
    assert.deepEqual(told, [unread]);
    assert.match(notice ?? '', /^No slow operation has arrived.*cannot be read: give the agent its group$/);
  });

  it('says that no threshold is set, unless an operation was logged after that was checked', async () => {
    const none = { search: false, indexing: false };
    const quiet = await read({ thresholds: none, notes: [] });
    assert.match(quiet.notice ?? '', /^No slow-log threshold is configured on any index/);
    const logged = { at_text: '2026-11-22 06:00:00.000000', at_us: 1, id: 'a', kind: 'search' };
    const busy = await read({ thresholds: none, notes: [], entries: [logged] });
    assert.equal(busy.notice, null);
    assert.deepEqual([busy.thresholds.search, busy.thresholds.indexing], [true, false]);
  });

  it('has no notice if operations arrive', async () => {
    const entries = [{ at_text: '2026-11-22 06:00:00.000000', at_us: 1_795_327_200_000_000, id: 'a' }];
    assert.deepEqual(
      await read({ thresholds, notes: [[unread]], entries }).then(({ notice }) => notice),
      null,
    );
  });

  it('covers all entries that agents can send, as far ahead as their times are accepted', async () => {
    const asked: Readonly<Record<string, unknown>>[] = [];
    const store: Store = {
      query: (sql, parameters = {}) => {
        if (sql.includes('telltale.slow_operations')) asked.push(parameters);
        return Promise.resolve([]);
      },
    };
    const before = Date.now();
    const whole = { limit: 10, after: undefined, cursors: afterEntry };
    await readSlowOperations(store, { workspace: 'w', uuid: 'u' }, whole, {});
    assert.ok(Number(asked[0]?.['at']) >= (before + 2 * 86_400_000) * 1_000);
  });

  it('has notes, but no notice that none arrive, if only a range of time is asked for', async () => {
    const { notice, notes } = await read({ thresholds, notes: [[unread]] }, { from: 0 });
    assert.equal(notice, null);
    assert.deepEqual(notes, [unread]);
  });

  it('says that no threshold is set, whatever agents note', async () => {
    const { notice } = await read({ thresholds: { search: false, indexing: false }, notes: [[unread]] });
    assert.match(notice ?? '', /^No slow-log threshold is configured/);
  });
});

describe('an entry of a slow log, as it is read', () => {
  it('has the length of its query if it is a search, and null if it is a document', () => {
    const lengthOf = (kind: string, length: number): unknown => {
      const row = { at_text: '2026-01-15 12:00:00.000000', kind, query_length: length };
      return viewOfEntry(row)['query_length'];
    };
    assert.deepEqual([lengthOf('search', 29), lengthOf('indexing', 0)], [29, null]);
  });
});
