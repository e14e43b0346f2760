import { mkdtempSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newClusterMemory } from '../agent/collectors/cluster-memory.js';
import { collectSection } from '../agent/collectors/collect.js';
import { identityPath, parseIdentity } from '../agent/collectors/identity.js';
import { sections } from '../agent/collectors/sections/sections.js';
import { defaultCollectorSettings } from '../agent/collectors/settings.js';
import { createSearchClient } from '../agent/integration/client/search-client.js';
import { liveTrust } from '../agent/integration/client/trust.js';
import { elasticsearchCluster } from '../stack/elasticsearch/cluster.js';

/**
 * The answers that watching a cluster needs, in bytes before compression: ours by section, and those of two
 * other tools (calls as in their sources) on the same cluster at the same time. Prints a table.
 */
const indices = 150;
const shardsEach = 2;

/** Metricbeat's Elasticsearch module with the metricsets of its monitoring, `scope: cluster`; every 10 s by default. */
const metricbeat = [
  '/',
  '/_cluster/stats',
  '/_cluster/state/version,nodes,master_node,routing_table',
  '/_nodes/_all/stats/jvm,indices,fs,os,process,transport,thread_pool,indexing_pressure,ingest/docs,get,merge,translog,fielddata,indexing,query_cache,request_cache,search,store,segments,refresh,flush',
  '/_nodes/_local',
  '/_stats/docs,fielddata,indexing,merge,search,segments,store,refresh,query_cache,request_cache?filter_path=indices',
  '/_stats',
  '/_recovery?active_only=true',
  '/_cluster/pending_tasks',
];

/** elasticsearch_exporter with `--es.all --es.indices --es.shards`; at each scrape, here every 60 s. */
const exporter = [
  '/',
  '/_cluster/health',
  '/_nodes/stats',
  '/_all/_stats?ignore_unavailable=true&level=shards',
  '/_alias',
];

const folder = mkdtempSync(join(tmpdir(), 'telltale-calls-'));
await chmod(folder, 0o755);
const cluster = await elasticsearchCluster({ version: '7.17.15', nodes: 3, folder, heap: '512m' });

async function fill(url: string): Promise<void> {
  const settings = { number_of_shards: shardsEach, number_of_replicas: 1 };
  for (let number = 0; number < indices; number += 1) {
    const response = await fetch(`${url}/logs-${String(number).padStart(4, '0')}?wait_for_active_shards=0`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ settings }),
    });
    await response.arrayBuffer();
  }
  await fetch(`${url}/_cluster/health?wait_for_status=green&timeout=120s`);
}

async function bytesOf(url: string, paths: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const path of paths) bytes += (await (await fetch(`${url}${path}`)).arrayBuffer()).byteLength;
  return bytes;
}

async function ours(url: string): Promise<readonly (readonly [string, number, number])[]> {
  let bytes = 0;
  const client = createSearchClient({
    integration: { url, authentication: { kind: 'none' }, requestTimeoutMs: 15_000 },
    trust: liveTrust({ certificateAuthority: '', verifyCertificate: true }, '.'),
    onCall: (call) => (bytes += call.bytes),
  });
  const { signal } = new AbortController();
  const options = {
    client,
    settings: defaultCollectorSettings,
    memory: newClusterMemory(),
    signal,
    now: Date.now,
  };
  const cluster = parseIdentity(await client.get(identityPath, { signal }));
  const rows: [string, number, number][] = [];
  for (const section of sections) {
    bytes = 0;
    await collectSection(section, { ...options, cluster });
    rows.push([section.name, section.intervalSeconds(defaultCollectorSettings), bytes]);
  }
  await client.close();
  return rows;
}

function print(
  url: string,
  rows: Awaited<ReturnType<typeof ours>>,
  others: readonly (readonly [string, number, number])[],
): void {
  const line = ([name, seconds, bytes]: readonly [string, number, number]): string =>
    `| ${name} | ${seconds} | ${bytes.toLocaleString('en')} | ${Math.round(bytes / seconds).toLocaleString('en')} |`;
  const each = rows.reduce((sum, [, seconds, bytes]) => sum + bytes / seconds, 0);
  console.log(`| what | every s | bytes of one collection | bytes/s |\n| --- | ---: | ---: | ---: |`);
  for (const row of rows) console.log(line(row));
  console.log(`| **ours, all sections** | | | **${Math.round(each).toLocaleString('en')}** |`);
  for (const other of others) console.log(line(other));
  console.log(`(three nodes of 7.17.15 at ${url}, ${indices} indices, ${indices * shardsEach * 2} shards)`);
}

try {
  await cluster.start();
  const url = cluster.nodes[0]?.url ?? '';
  await fill(url);
  print(url, await ours(url), [
    ['Metricbeat, its default period', 10, await bytesOf(url, metricbeat)],
    ['Metricbeat, period 60s', 60, await bytesOf(url, metricbeat)],
    ['elasticsearch_exporter, scraped each minute', 60, await bytesOf(url, exporter)],
  ]);
} finally {
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
}
