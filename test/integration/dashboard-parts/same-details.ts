import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { seededCluster } from '../../../bench/screenshots/seed-cluster.js';
import {
  formatCount,
  formatMillis,
  formatNumber,
  formatTimestamp,
} from '../../../dashboard/src/shared/format.js';
import { agentsPath } from '../../../schemas/agent-report.js';
import { agentReportBody } from '../../support/agent-report-body.js';
import { until } from '../../support/until.js';
import { cellsOf } from './cells.js';
import { post, read, type Stage } from './stage.js';
import { visit } from './visit.js';

interface Scorer {
  readonly title: string;
  readonly available: boolean;
  readonly unavailable: string | null;
  readonly needs: readonly string[];
  readonly models: readonly string[];
  readonly languages: readonly string[];
  readonly thresholds: Readonly<Record<string, number>>;
  readonly version: string | null;
}
interface Agent {
  readonly host: string;
  readonly clusters: readonly {
    readonly endpoint: string;
    readonly cluster_uuid: string | null;
    readonly state: string;
    readonly reason: string | null;
  }[];
  readonly connection_tests: readonly {
    readonly endpoint: string;
    readonly kind: string;
    readonly message: string;
    readonly at: string;
  }[];
}
interface Cause {
  readonly shards: number;
  readonly primaries: number;
  readonly index_count: number;
}

const seeded = `workspace = 'dashboard' AND cluster_uuid = '${seededCluster}'`;
const cluster = `/clusters/${seededCluster}`;
const endpoint = 'http://pier:9200';

/** The details that pages show next to their main figures equal those of the API and ClickHouse. */
export function sameDetails(stage: () => Stage): void {
  const page = (): Page => stage().signedIn.page;
  const query = <Row>(sql: string): Promise<readonly Row[]> => stage().pipeline.query<Row>(sql);

  it('shows each scorer as the API answers it', async () => {
    const { scorers } = await read<{ scorers: readonly Scorer[] }>(
      stage(),
      '/api/v1/monitoring/metrics/scorers',
    );
    assert.ok(scorers.length > 0);
    await visit(stage(), '/control/scorers');
    assert.deepEqual(
      await cellsOf(page(), 'Scorers', [0, 2, 3, 4, 5]),
      scorers.map(({ title, needs, models, languages, thresholds }) =>
        [
          ...[title, needs.join(', ') || 'nothing more', models.join(', ') || 'none'],
          languages.join(', ') || '–',
          Object.entries(thresholds)
            .map(([key, from]) => `${key} ${formatNumber(from, 3)}`)
            .join(', ') || '–',
        ].join('|'),
      ),
    );
    const states = await cellsOf(page(), 'Scorers', [1, 6]);
    for (const [at, { title, available, unavailable, version }] of scorers.entries()) {
      const word = available ? (unavailable === null ? 'available' : 'partly available') : 'not computed';
      const [state = '', made = ''] = (states[at] ?? '').split('|');
      assert.ok(
        state.startsWith(word) && made.startsWith(`Show${version ?? '–'}since `),
        `${title}: ${states[at]}`,
      );
    }
  });

  it('shows the agents of a cluster, connection tests, and an agent’s problems, as the API answers them', async () => {
    const tested = { endpoint, at: Date.now() - 60_000, ok: true, kind: 'ok', message: 'Connected.' };
    const problem = (name: string) => ({ name, problem: 'The port is taken.' });
    await post(
      stage(),
      agentsPath,
      agentReportBody({
        ...{ agent_id: 'watcher', host: 'pier', every_seconds: 3_600, connection_tests: [tested] },
        clusters: [
          {
            endpoint,
            cluster_uuid: seededCluster,
            cluster_name: 'bookshop',
            state: 'watching',
            reason: null,
          },
        ],
        components: [problem('traces'), { name: 'events', problem: null }, problem('slow logs')],
      }),
    );
    const agents = async (): Promise<readonly Agent[]> =>
      (await read<{ agents: readonly Agent[] }>(stage(), agentsPath)).agents;
    await until('its report is known', async () => (await agents()).some(({ host }) => host === 'pier'));
    const watchers = (await agents()).flatMap(({ host, clusters, connection_tests: tests }) =>
      clusters
        .filter(({ cluster_uuid: uuid }) => uuid === seededCluster)
        .map(({ endpoint: asked, state, reason }) => {
          const test = tests.find((one) => one.endpoint === asked);
          const said =
            test === undefined
              ? 'none since it started'
              : `${test.kind} ${test.message} (${formatTimestamp(test.at, 'utc')})`;
          return [host, asked, reason ?? state, said].join('|');
        }),
    );
    await visit(stage(), `${cluster}/collected`);
    assert.deepEqual(await cellsOf(page(), 'Agents that watch the cluster', [0, 2, 3, 4]), watchers);
    await visit(stage(), '/control/agents');
    const parts = await cellsOf(page(), 'Agents', [0, 2]);
    assert.ok(
      parts.includes('pierwatcher|traces: The port is taken.slow logs: The port is taken.'),
      parts.join('; '),
    );
    await visit(stage(), '/control/integrations');
    assert.deepEqual(
      await cellsOf(page(), 'Last connection tests', [0, 1, 2, 3]),
      (await agents()).flatMap(({ host, connection_tests: tests }) =>
        tests.map(({ endpoint: asked, kind, message, at }) =>
          [host, asked, `${kind.replaceAll('_', ' ')}${message}`, formatTimestamp(at, 'utc')].join('|'),
        ),
      ),
    );
  });

  it('counts unassigned shards by cause, as in the API and ClickHouse', async () => {
    const { groups } = await read<{ groups: readonly Cause[] }>(stage(), `/api/v1${cluster}/unassigned`);
    const [stored] = await query<{ shards: number; primaries: number }>(
      `SELECT toFloat64(count()) AS shards, toFloat64(countIf(primary)) AS primaries FROM telltale.cluster_shards
       WHERE ${seeded} AND state = 'UNASSIGNED'
         AND slot = (SELECT max(slot) FROM telltale.cluster_shards WHERE ${seeded})`,
    );
    const sum = (of: 'shards' | 'primaries'): number => groups.reduce((all, group) => all + group[of], 0);
    assert.ok(groups.length > 0);
    assert.deepEqual({ shards: sum('shards'), primaries: sum('primaries') }, stored);
    await visit(stage(), `${cluster}/shards`);
    const causes = page().getByRole('region', { name: 'Why shards are unassigned' }).locator('ol > li');
    const shown = await causes.allTextContents();
    assert.equal(shown.length, groups.length);
    for (const [at, { shards, primaries, index_count: indices }] of groups.entries()) {
      const mark =
        primaries > 0 ? formatCount(primaries, 'primary', 'primaries') : formatCount(shards, 'replica');
      const counts = `: ${formatCount(shards, 'shard')} of ${formatCount(indices, 'index', 'indices')}`;
      assert.ok(
        shown[at]?.startsWith(mark) === true && shown[at].includes(counts),
        `${mark}${counts}: ${shown[at]}`,
      );
    }
  });

  it('lists slow operations one by one as ClickHouse has them, and leads to the trace of one', async () => {
    const stored = await query<{ took: number; index: string; node: string; hits: number; trace: string }>(
      `SELECT toFloat64(took_ms) AS took, concat(\`index\`, ' [', toString(shard), ']') AS index, node_name AS node,
         toFloat64(total_hits) AS hits, trace_id AS trace
       FROM telltale.slow_operation_entries WHERE ${seeded} ORDER BY at DESC, id DESC LIMIT 100`,
    );
    assert.ok(stored.length > 0);
    await visit(stage(), `${cluster}/slow`);
    assert.deepEqual(
      await cellsOf(page(), 'Slow operations', [1, 3, 4, 5]),
      stored.map(({ took, index, node, hits }) =>
        [formatMillis(took), index, node, formatNumber(hits)].join('|'),
      ),
    );
    const newest = page()
      .getByRole('table', { name: 'Slow operations', exact: true })
      .locator('tbody tr')
      .first();
    await newest.locator('summary').click();
    const trace = newest.getByRole('link', { name: stored[0]?.trace ?? '', exact: true });
    assert.match((await trace.getAttribute('href')) ?? '', /\/traces\/[0-9a-f]{32}(?:\?|$)/);
    await newest.getByText('Opaque id: hmac-1f0e2d3c4b5a6978').waitFor();
    await newest.getByText('User: hmac-7c6b5a4f3e2d1c0b').waitFor();
  });
}
