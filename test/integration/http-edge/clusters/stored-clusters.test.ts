import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  afterCluster,
  afterEntry,
  afterScore,
  inSnapshot,
  ofFiltered,
} from '../../../../http-edge/clusters/cursors.js';
import { pageOf } from '../../../../http-edge/clusters/page.js';
import { queryOf } from '../../../../http-edge/clusters/query.js';
import { storedClusters } from '../../../../http-edge/clusters/read/stored-clusters.js';
import type { Store } from '../../../../http-edge/clusters/read/store.js';
import { connectClickHouse, type ClickHouse } from '../../../../runtime/clickhouse/client.js';
import { migrateTables } from '../../../support/applied.js';
import { queriesOf } from '../../../support/grafana-dashboards.js';
import { replaceByEmptyTable } from '../../../support/own-table.js';
import { atScale } from '../../../support/scale.js';
import { theStack } from '../../../support/stack.js';

const minuteMs = 60_000;
const workspace = 'stored-clusters';
/** The length of a long history, in days. */
const manyDays = atScale(150, 365);

/** A query parameter as ClickHouse takes it over HTTP. */
function parameterOf(value: unknown): string {
  if (!Array.isArray(value)) return String(value);
  return `[${value.map((each) => (typeof each === 'string' ? `'${each}'` : String(each))).join(',')}]`;
}

describe('the stored data of a cluster', function () {
  this.timeout(600_000);
  let clickhouse: ClickHouse;
  const putBack: (() => Promise<void>)[] = [];
  let place: { readonly url: string; readonly user: string; readonly password: string };

  before(async () => {
    const stack = await theStack();
    await migrateTables(stack);
    place = { url: stack.clickhouse.url, ...stack.clickhouse.writer };
    clickhouse = connectClickHouse(place);
    for (const table of [
      'cluster_overview',
      'cluster_nodes',
      'cluster_health',
      'cluster_shards',
      'cluster_indices',
      'slow_operations',
    ]) {
      putBack.push(await replaceByEmptyTable(clickhouse, `telltale.${table}`));
    }
  });
  after(async () => {
    for (const back of putBack) await back();
    await clickhouse.close();
  });

  /** Inserts `minutes` up to `daysAgo` ago: two sections per minute, and capabilities every 15 minutes. */
  async function insertOverview(uuid: string, minutes: number, daysAgo = 0): Promise<void> {
    const now = `toStartOfMinute(now() - INTERVAL ${daysAgo} DAY)`;
    for (const [section, every] of [
      ['health', 1],
      ['nodes', 1],
      ['capabilities', 15],
    ] as const) {
      const details =
        section === 'capabilities'
          ? `concat('{"sections":[],"slow_log_thresholds":', if(number = 0, '{"search":null,"indexing":null}', '{"search":true,"indexing":false}'), '}')`
          : 'NULL';
      await clickhouse.command(
        `INSERT INTO telltale.cluster_overview (workspace, cluster_uuid, section, slot, interval_seconds, taken_at, snapshot_id, reporter, part, parts, partial, status, items, nodes, nodes_cut, details)
         SELECT '${workspace}', '${uuid}', '${section}', ${now} - INTERVAL (number * ${every}) MINUTE AS begun, 60, begun, '', 'host-one', 1, 1, false, 'green', ${section === 'nodes' ? 1 : 'NULL'}, 300, 100, ${details}
         FROM numbers(${Math.floor(minutes / every)})`,
      );
    }
  }

  const insertNodes = (uuid: string, from: number, to: number): Promise<void> =>
    clickhouse.command(
      `INSERT INTO telltale.cluster_nodes (workspace, cluster_uuid, section, slot, interval_seconds, taken_at, snapshot_id, part, parts, partial, node_id, name)
       SELECT '${workspace}', '${uuid}', 'nodes', toStartOfMinute(now()) - INTERVAL (number + ${from}) MINUTE AS begun, 60, begun, '', 1, 1, false, 'n1', 'node-1'
       FROM numbers(${to - from})`,
    );

  /** A store that counts the rows that ClickHouse has read for the queries. */
  function counting(): { readonly store: Store; readonly read: () => number } {
    let rows = 0;
    const store: Store = {
      async query<Row>(sql: string, parameters: Readonly<Record<string, unknown>> = {}) {
        const url = new URL(place.url);
        for (const [name, value] of Object.entries(parameters)) {
          url.searchParams.set(`param_${name}`, parameterOf(value));
        }
        const answer = await fetch(url, {
          method: 'POST',
          headers: { 'x-clickhouse-user': place.user, 'x-clickhouse-key': place.password },
          body: `${sql} FORMAT JSON`,
        });
        const text = await answer.text();
        assert.equal(answer.status, 200, text);
        const { data, statistics } = JSON.parse(text) as { data: Row[]; statistics: { rows_read: number } };
        rows += statistics.rows_read;
        return data;
      },
    };
    return { store, read: () => rows };
  }

  async function rowsReadFor(uuid: string): Promise<number> {
    const { store, read } = counting();
    const reader = storedClusters(store, Date.now);
    assert.ok((await reader.cluster({ workspace, uuid })) !== undefined);
    const operations = await reader.slowOperations(
      { workspace, uuid },
      pageOf(queryOf('/x?limit=10'), afterEntry),
      {},
    );
    const { as_of: asOf, ...thresholds } = (operations as { thresholds: { as_of: string } }).thresholds;
    assert.deepEqual(thresholds, { search: true, indexing: false });
    // From the agent that knew the thresholds: the last report says that its agent may not see them.
    const age = Date.now() - Date.parse(asOf);
    assert.ok(age >= 15 * minuteMs && age < 18 * minuteMs, asOf);
    return read();
  }

  it('is read at the same cost after two weeks and after many', async () => {
    const [young, old] = [randomUUID(), randomUUID()];
    await insertOverview(young, 14 * 1_440);
    await insertOverview(old, manyDays * 1_440);
    const [few, many] = [await rowsReadFor(young), await rowsReadFor(old)];
    // ClickHouse reads whole granules and parts: twice as many rows is noise, ten times would be the history.
    assert.ok(many < 4 * few + 100_000, `${few} rows, then ${many}`);
  });

  it('is read at the cost of its last days even if the cluster has been silent for months', async () => {
    const [brief, long] = [randomUUID(), randomUUID()];
    await insertOverview(brief, 14 * 1_440, 60);
    await insertOverview(long, (manyDays - 60) * 1_440, 60);
    const costs: number[] = [];
    for (const uuid of [brief, long]) {
      const { store, read } = counting();
      const cluster = await storedClusters(store, Date.now).cluster({ workspace, uuid });
      const sections = (cluster as { sections: readonly { section: string; late: boolean }[] }).sections;
      assert.deepEqual(
        sections.map(({ section, late }) => [section, late]),
        [
          ['capabilities', true],
          ['health', true],
          ['nodes', true],
        ],
      );
      costs.push(read());
    }
    const [few = 0, many = 0] = costs;
    assert.ok(many < 4 * few + 100_000, `${few} rows, then ${many}`);
  });

  it('has a timeline of 500 events that is cut only if more happened', async () => {
    const told = async (masters: number): Promise<readonly [number, boolean]> => {
      const uuid = randomUUID();
      await clickhouse.command(
        `INSERT INTO telltale.cluster_overview (workspace, cluster_uuid, section, slot, interval_seconds, taken_at, snapshot_id, reporter, part, parts, partial, status, items, master_node)
         SELECT '${workspace}', '${uuid}', 'health', toStartOfMinute(now()) - INTERVAL number MINUTE AS begun, 60, begun, '', 'host-one', 1, 1, false, 'green', NULL, concat('node-', toString(number % 2))
         FROM numbers(${masters})`,
      );
      const now = Date.now() * 1_000;
      const range = { from: now - 24 * 60 * minuteMs * 1_000, to: now };
      const { events, cut } = (await storedClusters(counting().store, Date.now).timeline(
        { workspace, uuid },
        range,
      )) as { events: readonly object[]; cut: boolean };
      return [events.length, cut];
    };
    assert.deepEqual(await told(501), [500, false]);
    assert.deepEqual(await told(502), [500, true]);
  });

  it('reports a change at the start of its range, and none before it', async () => {
    const uuid = randomUUID();
    await clickhouse.command(
      `INSERT INTO telltale.cluster_overview (workspace, cluster_uuid, section, slot, interval_seconds, taken_at, snapshot_id, reporter, part, parts, partial, status, master_node)
       SELECT '${workspace}', '${uuid}', 'health', toDateTime('2026-01-15 12:00:00') + INTERVAL number HOUR AS begun, 60, begun, '', 'host-one', 1, 1, false, 'green', concat('node-', toString(number))
       FROM numbers(4)`,
    );
    const hour = (number: number): number =>
      (Date.parse('2026-01-15T12:00:00Z') + number * 60 * minuteMs) * 1_000;
    const { events } = (await storedClusters(counting().store, Date.now).timeline(
      { workspace, uuid },
      { from: hour(2), to: hour(3) },
    )) as { events: readonly { at: string }[] };
    assert.deepEqual(
      events.map(({ at }) => at),
      ['2026-01-15T14:00:00.000Z'],
    );
  });

  it('distinguishes a missing master from one that could not be read', async () => {
    const changes = async (between: string): Promise<number> => {
      const uuid = randomUUID();
      await clickhouse.command(
        `INSERT INTO telltale.cluster_overview (workspace, cluster_uuid, section, slot, interval_seconds, taken_at, snapshot_id, reporter, part, parts, partial, status, master_node, no_master)
         SELECT '${workspace}', '${uuid}', 'health', toStartOfMinute(now()) - INTERVAL number MINUTE AS begun, 60, begun, '', 'host-one', 1, 1, false, 'green', if(number = 1, NULL, 'node-1'), if(number = 1, ${between}, false)
         FROM numbers(3)`,
      );
      const now = Date.now() * 1_000;
      const range = { from: now - 60 * minuteMs * 1_000, to: now };
      const { events } = (await storedClusters(counting().store, Date.now).timeline(
        { workspace, uuid },
        range,
      )) as { events: readonly object[] };
      return events.length;
    };
    assert.deepEqual([await changes('false'), await changes('NULL'), await changes('true')], [0, 0, 2]);
  });

  it('is listed from the last snapshot whose rows are there, however old it is', async () => {
    const uuid = randomUUID();
    await insertOverview(uuid, 60);
    await insertNodes(uuid, 40, 60);
    const reader = storedClusters(clickhouse, Date.now);
    const list = (await reader.list(
      { workspace, uuid },
      'nodes',
      pageOf(queryOf('/x'), inSnapshot.nodes),
      {},
    )) as Record<string, unknown>;
    const age = Date.now() - Date.parse(String(list['as_of']));
    assert.ok(age >= 40 * minuteMs && age < 43 * minuteMs, String(list['as_of']));
    assert.deepEqual([list['total'], list['in_cluster'], list['cut'], list['stale']], [1, 300, 100, true]);
  });

  it("gives the dashboard the reason for a missing score, next to the other clusters' deductions", async () => {
    const [scored, unscored] = [randomUUID(), randomUUID()];
    for (const [uuid, score, points, subject, reason] of [
      [scored, '98', '[2]', 'disk watermarks', 'a single node'],
      [unscored, 'NULL', '[]', 'score', 'it is away'],
    ] as const)
      await clickhouse.command(
        `INSERT INTO telltale.cluster_health (workspace, cluster_uuid, at, score, floored, deductions.code, deductions.category, deductions.points, deductions.points_alone, deductions.reason, not_measured.what, not_measured.reason)
         SELECT '${workspace}', '${uuid}', now() - INTERVAL 1 MINUTE, ${score}, false, arrayMap(p -> 'c', ${points}), arrayMap(p -> 'c', ${points}), ${points}, ${points}, arrayMap(p -> 'a single node', ${points}), ['${subject}'], ['${reason}']`,
      );
    const of = async (cluster: string) => {
      const why = queriesOf('clusters.json', { cluster }).find(({ place }) => place.endsWith(': Why'));
      return clickhouse.query(why?.sql ?? '');
    };
    assert.deepEqual(await of(scored), [{ cluster: scored, points: 2, reason: 'a single node' }]);
    assert.deepEqual(await of(unscored), [
      { cluster: unscored, points: null, reason: 'No score: it is away' },
    ]);
  });

  it('has no score once the cluster has fallen silent', async () => {
    const uuid = randomUUID();
    await insertOverview(uuid, 10);
    await clickhouse.command(
      `INSERT INTO telltale.cluster_health (workspace, cluster_uuid, at, status, score, floored)
       SELECT '${workspace}', '${uuid}', now() - INTERVAL (3 + number) DAY, 'green', 100, false FROM numbers(2)`,
    );
    const reader = storedClusters(clickhouse, Date.now);
    const { clusters } = (await reader.clusters(workspace, pageOf(queryOf('/x'), afterCluster))) as {
      clusters: readonly Record<string, unknown>[];
    };
    const found = clusters.find(({ cluster_uuid }) => cluster_uuid === uuid);
    assert.deepEqual([found?.['score'], found?.['status'], found?.['stale']], [null, null, true]);
    assert.match(String(found?.['reason']), /nothing was heard/);
    const { history, ...now } = (await reader.health(
      { workspace, uuid },
      pageOf(queryOf('/x'), afterScore),
      {},
    )) as { readonly history: readonly { readonly score: number }[]; readonly [field: string]: unknown };
    assert.deepEqual([now['score'], now['status'], now['stale']], [null, null, true]);
    assert.deepEqual(
      history.map(({ score }) => score),
      [100, 100],
    );
  });

  describe('is filtered', () => {
    const uuid = randomUUID();
    const begin = Math.floor(Date.now() / minuteMs) * minuteMs - 10 * minuteMs;
    const timestampOf = (minute: number): string => `fromUnixTimestamp64Milli(${begin + minute * minuteMs})`;
    const of = { workspace, uuid };
    /** Has a surrogate pair across the length at which lists cut a query. */
    const longQuery = `${'q'.repeat(1_999)}📖${'q'.repeat(2_000)}`;

    before(async () => {
      await clickhouse.command(
        `INSERT INTO telltale.cluster_health (workspace, cluster_uuid, at, score, floored, _offset)
         SELECT '${workspace}', '${uuid}', fromUnixTimestamp64Milli(${begin} + intDiv(number, 2) * ${minuteMs}), 90 + intDiv(number, 2), false, number FROM numbers(16)`,
      );
      await clickhouse.command(
        `INSERT INTO telltale.slow_operations (id, workspace, cluster_uuid, at, kind, phase, level, \`index\`, took_ms, query, total_hits_at_least, query_cut, source_cut)
         SELECT leftPad(toString(number), 32, '0'), '${workspace}', '${uuid}', fromUnixTimestamp64Milli(${begin} + number * ${minuteMs}), 'search', 'query', 'warn', 'books', number, '${longQuery}', false, false, false FROM numbers(8)`,
      );
      for (const [section, items] of [
        ['shards', 9],
        ['indices', 6],
      ] as const)
        await clickhouse.command(
          `INSERT INTO telltale.cluster_overview (workspace, cluster_uuid, section, slot, interval_seconds, taken_at, snapshot_id, part, parts, partial, items)
           VALUES ('${workspace}', '${uuid}', '${section}', ${timestampOf(5)}, 60, ${timestampOf(5)}, '', 1, 1, false, ${items})`,
        );
      await clickhouse.command(
        `INSERT INTO telltale.cluster_shards (workspace, cluster_uuid, section, slot, interval_seconds, taken_at, snapshot_id, part, parts, partial, \`index\`, shard, \`primary\`, state, _index)
         SELECT '${workspace}', '${uuid}', 'shards', ${timestampOf(5)}, 60, ${timestampOf(5)}, '', 1, 1, false, 'books', number, true, if(number % 3 = 0, 'UNASSIGNED', 'STARTED'), number FROM numbers(9)`,
      );
      await clickhouse.command(
        `INSERT INTO telltale.cluster_indices (workspace, cluster_uuid, section, slot, interval_seconds, taken_at, snapshot_id, part, parts, partial, \`index\`, store_bytes, _index)
         SELECT '${workspace}', '${uuid}', 'indices', ${timestampOf(5)}, 60, ${timestampOf(5)}, '', 1, 1, false, ['logs-1', 'logs-2', 'logs_3', 'old-logs-4', 'Logs-5', 'logs'][number + 1], number, number FROM numbers(6)`,
      );
    });

    it('has the beginning of a long query in the list, and all of it by its id', async () => {
      const reader = storedClusters(clickhouse, Date.now);
      const list = await reader.slowOperations(of, pageOf(queryOf('/x?limit=1'), afterEntry), {});
      const [{ id, query }] = (list as { slow_operations: [{ id: string; query: string }] }).slow_operations;
      assert.equal(query, longQuery.slice(0, 1_999));
      const one = await reader.slowOperation(of, id);
      assert.equal((one as { slow_operation: { query: string } }).slow_operation.query, longQuery);
    });

    interface Answer {
      readonly next: string | null;
      readonly total?: number;
      readonly [list: string]: unknown;
    }

    /** All pages with two entries each, as a client reads them. */
    async function pages(read: (query: URLSearchParams) => Promise<object | undefined>): Promise<Answer[]> {
      const all: Answer[] = [];
      for (let cursor: string | null = ''; cursor !== null; cursor = all.at(-1)?.next ?? null) {
        assert.ok(all.length < 20);
        all.push((await read(queryOf(`/x?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`))) as Answer);
      }
      return all;
    }
    const flat = (all: readonly Answer[], list: string, field: string): unknown[] =>
      all.flatMap((page) => (page[list] as readonly Record<string, unknown>[]).map((row) => row[field]));

    it('by a range of time: scores from its beginning on and before its end, on every page', async () => {
      const range = { from: (begin + 2 * minuteMs) * 1_000, to: (begin + 5 * minuteMs) * 1_000 };
      const cursors = ofFiltered(afterScore, range);
      const reader = storedClusters(clickhouse, Date.now);
      const all = await pages((query) => reader.health(of, pageOf(query, cursors), range));
      assert.deepEqual(flat(all, 'history', 'score'), [94, 94, 93, 93, 92, 92]);
      assert.equal(all.length, 3);
      const open = await pages((query) => reader.health(of, pageOf(query, afterScore), { to: range.from }));
      assert.deepEqual(flat(open, 'history', 'score'), [91, 91, 90, 90]);
      const ever = { from: -1e18, to: 1e18 };
      const whole = await pages((query) => reader.health(of, pageOf(query, afterScore), ever));
      assert.equal(flat(whole, 'history', 'score').length, 16);
    });

    it('by a range of time: slow operations likewise', async () => {
      const range = { from: (begin + 2 * minuteMs) * 1_000, to: (begin + 5 * minuteMs) * 1_000 };
      const cursors = ofFiltered(afterEntry, range);
      const reader = storedClusters(clickhouse, Date.now);
      const all = await pages((query) => reader.slowOperations(of, pageOf(query, cursors), range));
      assert.deepEqual(flat(all, 'slow_operations', 'took_ms'), [4, 3, 2]);
    });

    it('by the state of shards, with how many of them there are', async () => {
      const filter = { state: 'UNASSIGNED' };
      const cursors = ofFiltered(inSnapshot.shards, filter);
      const reader = storedClusters(clickhouse, Date.now);
      const all = await pages((query) => reader.list(of, 'shards', pageOf(query, cursors), filter));
      assert.deepEqual(flat(all, 'shards', 'shard'), [0, 3, 6]);
      assert.deepEqual(
        all.map(({ total }) => total),
        [3, 3],
      );
      const none = await pages((query) =>
        reader.list(of, 'shards', pageOf(query, inSnapshot.shards), { state: 'RELOCATING' }),
      );
      assert.deepEqual([none[0]?.['shards'], none[0]?.total], [[], 0]);
    });

    it('by the literal prefix of index names', async () => {
      const filter = { prefix: 'logs-' };
      const cursors = ofFiltered(inSnapshot.indices, filter);
      const reader = storedClusters(clickhouse, Date.now);
      const all = await pages((query) => reader.list(of, 'indices', pageOf(query, cursors), filter));
      assert.deepEqual(flat(all, 'indices', 'index').toSorted(), ['logs-1', 'logs-2']);
      assert.equal(all[0]?.total, 2);
    });
  });
});
