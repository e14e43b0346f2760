import assert from 'node:assert/strict';
import { storedApplications } from '../../../../http-edge/applications/stored-applications.js';
import type { Store, StoredRow } from '../../../../http-edge/clusters/read/store.js';

const range = { from: 0, to: 60_000_000 };

/** A ClickHouse with this many rows for each list, which obeys a query's limit. */
function storeOf(count: number): Store {
  const rows = Array.from({ length: count }, (_, index): StoredRow => {
    const of = { application: `a${index}`, in_series: false, requests: 1, errors: 0, durations: [1, 1, 1] };
    return { ...of, began: '0', calls: 1 };
  });
  const limitOf = (sql: string): number => Number(/LIMIT (\d+)\s*$/.exec(sql)?.[1] ?? count);
  return { query: <Row>(sql: string) => Promise.resolve(rows.slice(0, limitOf(sql)) as Row[]) };
}

interface Listed {
  readonly cut: boolean;
}

describe('the lists of applications', () => {
  for (const [list, most] of [
    ['applications', 200],
    ['operations', 200],
    ['calls', 500],
  ] as const)
    it(`say whether there are more than the ${most} ${list} that are listed`, async () => {
      for (const [count, cut] of [
        [most, false],
        [most + 1, true],
      ] as const) {
        const reader = storedApplications(storeOf(count), Date.now);
        const answer = (await {
          applications: () => reader.list('w', range),
          operations: () => reader.operations('w', range, undefined),
          calls: () => reader.calls('w', range),
        }[list]()) as Listed & Readonly<Record<string, readonly object[]>>;
        assert.deepEqual([answer[list]?.length, answer.cut], [most, cut]);
      }
    });
});
