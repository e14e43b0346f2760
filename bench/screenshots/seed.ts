import { connectClickHouse } from '../../runtime/clickhouse/client.js';
import { agentsPath } from '../../schemas/agent-report.js';
import { stageTimestamps } from '../../schemas/hops.js';
import { BatchSender } from '../../test/support/agent-batches.js';
import type { Pipeline } from '../../test/support/pipeline.js';
import { insertSpans } from '../../test/support/span-rows.js';
import { until } from '../../test/support/until.js';
import { seededAgents } from './seed-agents.js';
import { itemsOfMinute, seededCluster, seededMinutes } from './seed-cluster.js';
import { slowEntries } from './seed-slow.js';
import { seededTraces, traceBody } from './seed-traces.js';

const minuteMs = 60_000;
const prompts = [
  'The ferry was late, but the crew was lovely.',
  'Where is my order? It should have been here on Monday, and nobody answers.',
  'What a wonderful shop. I will certainly come back!',
  'Please send the invoice to anna.berg@example.com, or call +44 20 7946 0958.',
  'This is the worst book that I have ever read.',
  'Which of your novels play on an island?',
];

/** Fills the workspace as applications, agents and a cluster would within some hours. */
export async function seed(pipeline: Pipeline, workspace: string): Promise<void> {
  await Promise.all([
    seedResults(pipeline, workspace),
    seedEvents(pipeline),
    seedTraces(pipeline, workspace),
    seedAgents(pipeline),
  ]);
  await seedCluster(pipeline);
}

/** Real scores of a few texts, then copies of them at other times: the edge accepts no timestamps. */
async function seedResults(pipeline: Pipeline, workspace: string): Promise<void> {
  for (const prompt of prompts) {
    const answer = await fetch(`${pipeline.edge.url}/api/v1/monitoring/metrics`, {
      method: 'POST',
      headers: { authorization: `Bearer ${pipeline.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt }),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  }
  const stored = `SELECT count() AS rows FROM telltale.scoring_results WHERE workspace = '${workspace}'`;
  await until('the results are stored', async () => {
    const [row] = await pipeline.query<{ rows: string }>(stored);
    return Number(row?.rows) === prompts.length;
  });
  const { url, writer } = pipeline.stack.clickhouse;
  const clickhouse = connectClickHouse({ url, ...writer });
  const moved = stageTimestamps.map((name) => `${name} - toIntervalSecond(ago) AS ${name}`).join(', ');
  await clickhouse.command(
    `INSERT INTO telltale.scoring_result_versions
     SELECT scored.* REPLACE (
       generateUUIDv4() AS task_id, ${moved},
       greatest(-1, least(1, prompt_sentiment_lexicon + 0.3 * sin(number / 40))) AS prompt_sentiment_lexicon
     )
     FROM (SELECT * FROM telltale.scoring_results WHERE workspace = '${workspace}') AS scored
     CROSS JOIN (SELECT number, number * 173 + rand() % 120 AS ago FROM numbers(1, 480)) AS times`,
  );
  await clickhouse.close();
}

async function seedEvents(pipeline: Pipeline): Promise<void> {
  const sender = new BatchSender(pipeline.edge.url, pipeline.key);
  const now = Math.floor(Date.now() / minuteMs) * minuteMs;
  const events = Array.from({ length: 288 }, (_, five) => {
    const timestamp = new Date(now - five * 5 * minuteMs).toISOString();
    const day = Math.sin(five / 45);
    return [
      { metric: 'orders.placed', type: 'increment', value: Math.round(30 + 20 * day), cluster: 'eu' },
      { metric: 'orders.placed', type: 'increment', value: Math.round(12 - 8 * day), cluster: 'us' },
      { metric: 'checkout.seconds', type: 'distribution', value: 1.2 + day + (five % 7) / 10, cluster: 'eu' },
      { metric: 'queue.depth', type: 'gauge', value: Math.round(40 + 35 * day), cluster: 'eu' },
      { metric: 'cache.filled', type: 'percentage', value: 70 + 20 * day, cluster: 'eu' },
      { metric: 'uploads.size', type: 'systembyte', value: 3e9 + 1e9 * day, cluster: 'us' },
    ].map((event) => ({ ...event, timestamp }));
  }).flat();
  await sender.send('events', events);
}

async function seedAgents({ edge, key }: Pipeline): Promise<void> {
  for (const report of seededAgents(Date.now())) {
    const answer = await fetch(`${edge.url}${agentsPath}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(report),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  }
}

async function seedTraces(pipeline: Pipeline, workspace: string): Promise<void> {
  const { url, writer } = pipeline.stack.clickhouse;
  const clickhouse = connectClickHouse({ url, ...writer });
  const bodies = Array.from({ length: seededTraces }, (_, number) => traceBody(number, Date.now()));
  await insertSpans(clickhouse, bodies, 'seeded-traces', 'seeded-traces', workspace);
  await clickhouse.close();
}

/** The cluster's last minutes, from the given one of its story on: it is red from the 150th to the last. */
export async function seedCluster(pipeline: Pipeline, from = 0): Promise<void> {
  const sender = new BatchSender(pipeline.edge.url, pipeline.key);
  const firstMinute = Math.floor(Date.now() / minuteMs) - seededMinutes;
  for (let minute = from; minute <= seededMinutes; minute += 1) {
    const items = itemsOfMinute(minute, firstMinute);
    if (items.length > 0) await sender.send('snapshots', items);
  }
  await sender.send('slow-operations', slowEntries(firstMinute));
  // Its last minute, as soon as all sections of it have arrived.
  const scored = `
    SELECT count() AS rows FROM telltale.cluster_health
    WHERE cluster_uuid = '${seededCluster}' AND status = 'red' AND at >= toDateTime(${(firstMinute + seededMinutes) * 60})`;
  await until('the cluster is scored', async () => {
    const [row] = await pipeline.query<{ rows: string }>(scored);
    return Number(row?.rows) > 0;
  });
}
