import assert from 'node:assert/strict';
import { deductionsSql, totalsSql } from '../../../dashboard/src/pages/cluster/overview-sql.js';
import { fingerprintSql } from '../../../dashboard/src/pages/cluster/shape-sql.js';
import { clustersSql, seriesSql, slowSql } from '../../../dashboard/src/pages/cluster/sql.js';
import { timelineSql } from '../../../dashboard/src/pages/cluster/timeline-sql.js';
import { seriesSql as eventsSql } from '../../../dashboard/src/pages/events/sql.js';
import { hopTimesSql } from '../../../dashboard/src/pages/pipeline/hop-times-sql.js';
import { sqlOf, trendSql } from '../../../dashboard/src/pages/results/sql.js';
import { durationsSql } from '../../../dashboard/src/pages/traces/sql.js';
import { quoted } from '../../../dashboard/src/shared/sql-text.js';
import { fingerprint, shapePatterns } from '../../../http-edge/clusters/read/slow-shapes.js';

const scope = {
  workspace: 'harbour',
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-01-02T00:00:00.000Z',
} as const;
const noSlowFilter = { index: '', node: '', kind: '', min_took_ms: '', shape: '' };
const noResultFilter = {
  ...{ contains: '', metric: '', outcome: '', lane: '', key: '', label: '' },
  ...{ score: 'prompt_toxicity', min: '', max: '' },
};
const noSpanFilter = {
  ...{ spans: 'all', application: '', operation: '', status: '', attribute: '', min_ms: '', max_ms: '' },
};

describe('the SQL that a page shows', () => {
  it('is of the workspace and the range of the page', () => {
    for (const sql of [
      trendSql(noResultFilter, 600, scope),
      durationsSql(noSpanFilter, { edges_ms: [0, 1], step_seconds: 600 }, scope),
      seriesSql({ uuid: 'u', of: 'nodes', figure: 'gc_share', line: '' }, 600, scope),
      seriesSql({ uuid: 'u', of: 'cluster', figure: 'queries_per_second', line: '' }, 600, scope),
      slowSql('u', noSlowFilter, '', scope),
      hopTimesSql(scope),
      timelineSql('u', scope),
      eventsSql({ metric: 'm', cluster: '' }, 600, scope),
    ]) {
      assert.ok(sql.includes("workspace = 'harbour'"), sql);
      for (const timestamp of [scope.from, scope.to]) assert.ok(sql.includes(timestamp), sql);
    }
  });

  it('has the time steps of the chart', () => {
    for (const sql of [
      trendSql(noResultFilter, 600, scope),
      eventsSql({ metric: 'm', cluster: '' }, 600, scope),
    ])
      assert.match(sql, /, 600\) \* 600/);
    const map = durationsSql(noSpanFilter, { edges_ms: [0, 0.01, 2], step_seconds: 120 }, scope);
    assert.match(map, /roundDown\(Duration, \[0, 10000, 2000000\]\)/);
    assert.match(map, /, 120\) \* 120/);
  });

  it('has the filters and the order of the list', () => {
    const filter = { index: 'quay', node: 'n1', kind: 'search', min_took_ms: '250', shape: 'ab' };
    const sql = slowSql('u', filter, 'slowest', scope);
    for (const part of [
      "`index` = 'quay'",
      "node_name = 'n1'",
      "kind = 'search'",
      'took_ms >= 250',
      "= 'ab'",
    ])
      assert.ok(sql.includes(part), part);
    assert.match(sql, /ORDER BY took_ms DESC/);
    assert.match(slowSql('u', noSlowFilter, '', scope), /ORDER BY at DESC/);
  });

  it('has the sender of a slow operation and the lane of a prompt, as the page has', () => {
    assert.match(slowSql('u', noSlowFilter, '', scope), /withheld,[^]*opaque_id,\s+`user`,\s+trace_id\nFROM/);
    assert.match(sqlOf(noResultFilter, scope), /\blane,/);
  });

  it('has no earlier state of a cluster whose present one is unknown', () => {
    for (const column of ['status', 'score'])
      assert.ok(clustersSql(scope).includes(`argMax(tuple(${column}), at).1`), column);
  });

  it('has the same filters for a trend as for the list', () => {
    const filter = {
      ...noResultFilter,
      lane: 'task',
      key: 'k1',
      label: 'ferries',
      min: '0.5',
      contains: 'late',
    };
    for (const sql of [trendSql(filter, 600, scope), sqlOf(filter, scope)])
      for (const part of [
        ...["lane = 'task'", "key_id = 'k1'", "prompt_closest_topic = 'ferries'", 'prompt_toxicity >= 0.5'],
        "positionCaseInsensitiveUTF8(prompt, 'late') > 0",
      ])
        assert.ok(sql.includes(part), `${part} in ${sql}`);
  });

  it('finds no span without the key if the wanted value of an attribute is empty', () => {
    const sqlWith = (attribute: string): string =>
      durationsSql({ ...noSpanFilter, attribute }, { edges_ms: [0, 1], step_seconds: 60 }, scope);
    assert.match(
      sqlWith('shelf='),
      /has\(mapKeys\(SpanAttributes\), 'shelf'\) AND SpanAttributes\['shelf'\] = ''/,
    );
    assert.doesNotMatch(sqlWith('shelf=7'), /mapKeys/);
  });

  it('reads exactly the snapshot that is shown, and nothing if there was none', () => {
    const at = '2026-01-01T00:01:00.000Z';
    assert.ok(deductionsSql({ uuid: 'u', at }, scope).includes(at));
    const slots = { health: at, stats: null, traffic: null };
    const sql = totalsSql('u', slots, scope);
    assert.match(sql, /section = 'health' AND slot = parse\S+2026-01-01T00:01:00.000Z/);
    assert.match(sql, /section = 'cluster_stats' AND slot = NULL/);
    assert.match(sql, /max\(partial\) OR \(SELECT max\(nodes_cut\) .* AS queries_per_second/);
  });

  it('tells shapes of queries apart as the edge does', () => {
    const told = Object.entries(shapePatterns).reduce(
      (text, [name, pattern]) => text.replaceAll(`{${name}:String}`, () => quoted(pattern)),
      fingerprint,
    );
    assert.equal(fingerprintSql, told);
  });
});
