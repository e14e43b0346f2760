import assert from 'node:assert/strict';
import { quoted } from '../../../dashboard/src/shared/sql-text.js';
import { connectClickHouse, type ClickHouse } from '../../../runtime/clickhouse/client.js';
import { BatchSender } from '../../support/agent-batches.js';
import { healthBody } from '../../support/cluster-snapshots.js';
import { markupPayloads as payloads } from '../../support/markup-payloads.js';
import { insertSpans } from '../../support/span-rows.js';
import { until } from '../../support/until.js';
import { open, post, type Stage } from './stage.js';
import { visit } from './visit.js';

const traceId = 'badc0de'.padEnd(32, '2');
const last = payloads.at(-1) ?? '';

/** Elements that only a page which takes text for markup has; the dashboard's own icons are svg. */
const strange =
  'script, iframe, object, base, meta, link, video, img, math, template, style, details[ontoggle], svg[onload], [onerror], [href^="javascript:"]';

const pages = [
  ...['/', '/results', '/traces?spans=all', `/traces/${traceId}`, '/applications', '/events', '/clusters'],
  ...['/events?metric=', '/applications?application=', '/results?q='].map(
    (path) => `${path}${encodeURIComponent(payloads[0] ?? '')}`,
  ),
];

const clusterUuid = 'Mk2vQ1aBS3yT9d0wZr7p4g';
const mark = (what: string): string => `${what} <img src=x onerror=window.taken=1>`;
const named = {
  ...{ cluster: mark('cluster'), node: mark('node'), nodeHost: mark('machine'), index: mark('index') },
  ...{ agentHost: mark('host'), agent: mark('agent'), key: mark('key'), query: mark('query') },
};
/** Each page, and the names that it has. */
const namedOn: Readonly<Record<string, readonly string[]>> = {
  '/clusters': [named.cluster],
  [`/clusters/${clusterUuid}/nodes`]: [named.cluster, named.node, named.nodeHost],
  [`/clusters/${clusterUuid}/indices`]: [named.index],
  [`/clusters/${clusterUuid}/slow`]: [named.index, named.node, named.query],
  '/control/agents': [named.agentHost, named.agent],
  '/control': [named.key],
};

/** Whoever can send something can name it as they like: each page shows such names as text. */
export function markupIsText(stage: () => Stage): void {
  /** Forgets what earlier visits have read: it would be shown first. */
  const afresh = (): Promise<unknown> => open(stage(), '/pipeline/find');

  it('stores names that are markup wherever somebody may name something', async () => {
    const { pipeline } = stage();
    const { url, writer } = pipeline.stack.clickhouse;
    const clickhouse = connectClickHouse({ url, ...writer });
    await insertSpans(clickhouse, [spansBody()], 'markup', 'markup', 'dashboard');
    await insertPrompts(clickhouse);
    await clickhouse.close();
    const sender = new BatchSender(pipeline.edge.url, pipeline.key);
    await sender.send('snapshots', clusterItems());
    await sender.send('slow-operations', [slowEntry()]);
    await post(stage(), '/api/v1/agents', agentReport());
    await post(stage(), '/api/v1/keys', { name: named.key, scopes: ['events'] });
    const timestamp = new Date(Date.now() - 60_000).toISOString();
    await sender.send(
      'events',
      payloads.map((text) => ({ metric: text, type: 'gauge', value: 1, cluster: text, timestamp })),
    );
    await until('the events are stored', async () => {
      const [row] = await pipeline.query<{ rows: string }>(
        `SELECT count() AS rows FROM telltale.events WHERE metric = ${quoted(last)}`,
      );
      return Number(row?.rows) > 0;
    });
    await until('the cluster is scored', async () => {
      const sql = `SELECT 1 AS found FROM telltale.cluster_health WHERE cluster_uuid = '${clusterUuid}' LIMIT 1`;
      return (await pipeline.query(sql)).length > 0;
    });
  });

  it('shows names of clusters, nodes, indices, agents and keys as text', async () => {
    const { page } = stage().signedIn;
    await afresh();
    for (const [path, names] of Object.entries(namedOn)) {
      await visit(stage(), path);
      for (const name of names)
        await page.locator('main').getByText(name, { exact: false }).first().waitFor();
      assert.equal(await page.evaluate<unknown>('window.taken'), undefined, path);
      assert.equal(await page.locator('main').locator(strange).count(), 0, path);
    }
  });

  it('shows all of them as text, on every page', async () => {
    const { page } = stage().signedIn;
    await page.setViewportSize({ width: 1280, height: 800 });
    const seen = new Set<string>();
    const [scored] = await stage().pipeline.query<{ id: string }>(
      `SELECT toString(task_id) AS id FROM telltale.scoring_results WHERE prompt = ${quoted(last)}`,
    );
    await afresh();
    for (const path of [...pages, `/results/${scored?.id ?? ''}`]) {
      await visit(stage(), path);
      assert.equal(await page.evaluate<unknown>('window.taken'), undefined, path);
      assert.equal(await page.locator('main').locator(strange).count(), 0, path);
      const shown = (await page.locator('main').textContent()) ?? '';
      for (const payload of payloads) if (shown.includes(payload)) seen.add(payload);
    }
    assert.deepEqual(
      payloads.filter((payload) => !seen.has(payload)),
      [],
    );
  });
}

/** A healthy cluster, as an agent would have collected it a minute ago. */
function clusterItems(): readonly object[] {
  const slot = Math.floor(Date.now() / 60_000) * 60_000 - 60_000;
  const item = (section: string, body: object): object => ({
    ...{ cluster_uuid: clusterUuid, cluster_name: named.cluster, cluster_version: '8.14.1', section, slot },
    ...{ interval_seconds: 60, collection: 'markup', reporter: named.agentHost, taken_at: slot + 1_000 },
    ...{ took_ms: 12, part: 1, parts: 1, partial: false, unavailable: [], body },
  });
  const node = {
    ...{ node_id: 'm1', name: named.node, host: named.nodeHost, roles: ['data'], incarnation: 'm1:1' },
    ...{
      is_master: true,
      measured_at: slot,
      uptime_ms: 60_000,
      jvm_started_at: slot - 60_000,
      operations: {},
    },
  };
  const index = { index: named.index, uuid: 'm-uuid', state: 'open', health: 'green', primaries: 1 };
  return [
    item('nodes', { nodes_total: 1, nodes_failed: 0, nodes_cut: 0, nodes: [node] }),
    item('indices', { indices_total: 1, indices_with_operations: 1, indices: [{ ...index, replicas: 0 }] }),
    item('health', healthBody({ status: 'green', nodes: 1, data_nodes: 1, master_node: named.node })),
  ];
}

/** A line of a slow log. */
function slowEntry(): object {
  return {
    ...{ id: 'badc0de'.padEnd(32, '3'), cluster_uuid: clusterUuid, cluster_name: named.cluster },
    ...{ at: (Date.now() - 60_000) * 1_000, kind: 'search', phase: 'query', level: 'warn' },
    ...{ index: named.index, shard: 0, node_name: named.node, took_ms: 900, total_hits: 1, total_shards: 1 },
    ...{ query: named.query, query_length: named.query.length },
  };
}

/** The last one of an agent that was stopped: nothing of it needs attention. */
function agentReport(): object {
  return {
    ...{ agent_id: named.agent, host: named.agentHost, version: '1.0.0', started_at: Date.now() - 60_000 },
    ...{
      every_seconds: 30,
      stopping: true,
      datasets: [],
      components: [],
      clusters: [],
      connection_tests: [],
    },
    spool: { bytes: 0, limit_bytes: 1, unsent_bytes: 0, oldest_at: null, oldest_unknown: null },
  };
}

function spansBody(): Buffer {
  const begin = BigInt(Date.now() - 30_000) * 1_000_000n;
  const attribute = (key: string, text: string): object => ({ key, value: { stringValue: text } });
  const spans = payloads.map((name, index) => ({
    ...{ traceId, spanId: (index + 1).toString(16).padStart(16, '0'), name, kind: 2 },
    ...(index > 0 && { parentSpanId: '1'.padStart(16, '0') }),
    startTimeUnixNano: String(begin),
    endTimeUnixNano: String(begin + 1_000_000n),
    attributes: [attribute(name, name)],
    status: { code: 2, message: name },
  }));
  const resourceSpans = [0, 1].map((half) => ({
    resource: { attributes: [attribute('service.name', payloads[half] ?? '')] },
    scopeSpans: [{ spans: spans.filter((_, index) => index % 2 === half) }],
  }));
  return Buffer.from(JSON.stringify({ resourceSpans }));
}

/** As results of the workspace's own, with other prompts, and as if they came from a topic of their own. */
function insertPrompts(clickhouse: ClickHouse): Promise<void> {
  return clickhouse.command(
    `INSERT INTO telltale.scoring_result_versions
     SELECT scored.* REPLACE (
         generateUUIDv4() AS task_id, text AS prompt,
         'markup' AS _topic, place AS _offset, if(place = 1, -1, place - 1) AS _previous_offset
     )
     FROM (SELECT * FROM telltale.scoring_results WHERE workspace = 'dashboard' LIMIT 1) AS scored
     CROSS JOIN (
         SELECT text, place FROM (SELECT [${payloads.map(quoted).join(', ')}] AS texts)
         ARRAY JOIN texts AS text, arrayEnumerate(texts) AS place
     ) AS prompts`,
  );
}
