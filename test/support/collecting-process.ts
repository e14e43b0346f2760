import { parseSnapshot } from '../../schemas/snapshots.js';
import { defaultCollectorSettings } from '../../agent/collectors/settings.js';
import { sections } from '../../agent/collectors/sections/sections.js';
import { newClusterMemory } from '../../agent/collectors/cluster-memory.js';
import { collectSection } from '../../agent/collectors/collect.js';
import { identityPath, parseIdentity } from '../../agent/collectors/identity.js';
import { itemsOf } from '../../agent/collectors/items.js';
import { searchClient } from './search-clients.js';

/** A process that collects every section of the cluster on a port, as often as told, and says what that took of it. */
const [port = '0', cycles = '1'] = process.argv.slice(2);

export interface CollectingReport {
  /** Megabytes, at the most, of the whole process. */
  readonly peakRss: number;
  readonly rssBefore: number;
  readonly slowestMs: number;
  readonly items: Readonly<Record<string, number>>;
  readonly largestItem: number;
  readonly failures: readonly string[];
  readonly shardsCut: number | null;
  readonly indices: number;
  readonly indicesWithOperations: number;
}

const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);
const client = await searchClient(Number(port));
const { signal } = new AbortController();
const memory = newClusterMemory();
const items: Record<string, number> = {};
const failures: string[] = [];
let [slowestMs, largestItem, indices, indicesWithOperations] = [0, 0, 0, 0];
let shardsCut: number | null = null;
const rssBefore = process.memoryUsage.rss();

for (let cycle = 0; cycle < Number(cycles); cycle += 1) {
  const began = performance.now();
  const cluster = parseIdentity(await client.get(identityPath, { signal }));
  for (const section of sections) {
    const outcome = await collectSection(section, {
      client,
      cluster,
      settings: defaultCollectorSettings,
      memory,
      signal,
      now: Date.now,
    });
    if (!outcome.ok) failures.push(`${section.name}: ${outcome.failure.reason}`);
    if (!outcome.ok || outcome.collected === null) continue;
    const record = {
      cluster,
      section: section.name,
      intervalSeconds: 60,
      id: 'c',
      reporter: 'h',
      takenAt: 0,
      tookMs: 0,
    };
    const split = section.split && { ...section.split, most: section.split.most(defaultCollectorSettings) };
    const made = itemsOf(record, outcome.collected, split);
    items[section.name] = made.length;
    for (const item of made) {
      const line = JSON.stringify(item);
      largestItem = Math.max(largestItem, Buffer.byteLength(line));
      if (item.section === 'shards') shardsCut = item.body.shards_cut;
      if (item.section === 'indices' && cycle === 0) {
        indices += item.body.indices.length;
        indicesWithOperations = item.body.indices_with_operations ?? 0;
      }
      const parsed = parseSnapshot(JSON.parse(line));
      if (!parsed.ok) failures.push(`${section.name}: ${parsed.reason}`);
    }
  }
  slowestMs = Math.max(slowestMs, performance.now() - began);
}
await client.close();
const report: CollectingReport = {
  // Kilobytes on Linux and macOS alike (libuv).
  peakRss: Math.round(process.resourceUsage().maxRSS / 1024),
  rssBefore: megabytes(rssBefore),
  slowestMs: Math.round(slowestMs),
  items,
  largestItem,
  failures,
  shardsCut,
  indices,
  indicesWithOperations,
};
process.stdout.write(JSON.stringify(report));
