import assert from 'node:assert/strict';
import type { Row } from './analytics-questions.js';
import { clusterUuid } from './cluster-snapshots.js';

/** The cluster that the queries about slow searches select. */
export const slowClusterUuid = 'Yk2vQ1aBS3yT9d0wZr7p4g';

/** Three searches of two kinds, as an agent sends them; `at` in milliseconds since 1970. */
export const slowSearches = (at: number): readonly object[] =>
  [
    ['{"query":{"match":{"title":"harbour"}},"size":10}', 1_000],
    ['{"query":{"match":{"title":"lighthouse"}},"size":20}', 3_000],
    ['{"query":{"range":{"year":{"gte":1900}}}}', 500],
  ].map(([query, took], index) => ({
    id: String(index).padStart(32, '0'),
    cluster_uuid: slowClusterUuid,
    cluster_name: 'slow',
    at: (at + index) * 1_000,
    kind: 'search',
    phase: 'query',
    level: 'warn',
    index: 'books',
    took_ms: took,
    query,
    query_length: String(query).length,
  }));

/**
 * The results that each query must have for the cluster that restarted a node in its sixth minute; `minute`
 * returns one of its minutes as text.
 */
export const clusterFindings: Readonly<
  Record<string, (rows: readonly Row[], minute: (offset: number) => string) => void>
> = {
  'Which clusters are in trouble, and why?': (rows) => {
    assert.equal(rows.length, 1);
    const [{ reasons, lowest, ...row } = {}] = rows;
    assert.deepEqual(row, { cluster_uuid: clusterUuid, cluster: 'books', points: 73 });
    assert.ok(Number(lowest) <= 73);
    assert.match(String((reasons as readonly string[])[0]), /replica/);
    assert.equal((reasons as readonly string[]).length, 2);
  },
  'Which nodes answer slower than the others of their cluster?': (rows) => {
    assert.deepEqual(
      rows,
      ['node-n1', 'node-n2'].map((node) => ({
        cluster_uuid: clusterUuid,
        node,
        query_ms: 3,
        times_the_median: 1,
      })),
    );
  },
  'Which nodes restarted, and for how long were their rates not known?': (rows, minute) => {
    assert.deepEqual(rows, [
      {
        cluster_uuid: clusterUuid,
        node: 'node-n2',
        restarts: 1,
        last_restart: `${minute(6)}.000`,
        seconds_without_rates: 120,
      },
    ]);
  },
  'What keeps shards unassigned, since when, and what would help?': (rows, minute) => {
    assert.deepEqual(rows, [
      {
        cluster_uuid: clusterUuid,
        index: 'books',
        reason: 'NODE_LEFT',
        shards: 1,
        data_is_missing: 0,
        since: `${minute(0)}.000`,
        advice: 'Add a data node.',
      },
    ]);
  },
  'Which indices grew most?': (rows) => {
    assert.deepEqual(rows, [
      {
        cluster_uuid: clusterUuid,
        index: 'books',
        documents: 1_500,
        bytes: 150_000,
        indexed_per_second_mean: 5,
      },
    ]);
  },
  'Which kinds of search take the most time?': (rows) => {
    assert.deepEqual(
      rows.map(({ kind_of_search: kind, logged, ms }) => [kind, logged, ms]),
      [
        ['{"query":{"match":{"title":?}},"size":?}', 2, 4_000],
        ['{"query":{"range":{"year":{"gte":?}}}}', 1, 500],
      ],
    );
  },
};
