import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { defaultCollectorSettings, type CollectorSettings } from '../../agent/collectors/settings.js';
import type { SearchAnswer, SearchClient, ShardToExplain } from '../../agent/collectors/client-port.js';
import { newClusterMemory } from '../../agent/collectors/cluster-memory.js';
import { collectSection, type Outcome } from '../../agent/collectors/collect.js';
import { itemsOf } from '../../agent/collectors/items.js';
import { identityPath, parseIdentity } from '../../agent/collectors/identity.js';
import { sections } from '../../agent/collectors/sections/sections.js';
import type { Collected } from '../../agent/collectors/section.js';
import type { SectionName, Snapshot } from '../../schemas/snapshots.js';

/** Answers of real clusters are kept next to the repository and are not part of it. */
const folder = resolve('../shared/data/elasticsearch-captures');

export function haveCaptures(): boolean {
  return existsSync(folder);
}

export function captureNames(): readonly string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.tar.gz'))
    .map((file) => basename(file, '.tar.gz'));
}

/** The files of one capture by name, such as `nodes_stats.json`; files other than JSON are left out. */
export function readCapture(name: string): ReadonlyMap<string, unknown> {
  const files = new Map<string, unknown>();
  for (const [path, content] of untar(gunzipSync(readFileSync(resolve(folder, `${name}.tar.gz`))))) {
    if (path.endsWith('.json') && !path.includes('slowlogs')) files.set(basename(path), JSON.parse(content));
  }
  return files;
}

/** Enough of the tar format for plain files with short names. */
function* untar(archive: Buffer): Generator<readonly [string, string]> {
  for (let at = 0; at + 512 <= archive.length && archive[at] !== 0;) {
    const text = (from: number, to: number): string =>
      archive.toString('latin1', at + from, at + to).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 136), 8) || 0;
    if (text(156, 157) !== '5') yield [text(0, 100), archive.toString('utf8', at + 512, at + 512 + size)];
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

interface CatShard {
  readonly index: string;
  readonly shard: string;
  readonly prirep: string;
  readonly state: string;
  readonly docs: string | null;
  readonly store: string | null;
  readonly id: string | null;
  readonly node: string | null;
  readonly 'unassigned.reason': string | null;
  readonly 'unassigned.at': string | null;
  readonly 'unassigned.details': string | null;
}

/** The capture used full column names; the collector requests aliases, which then are the keys. */
function withAliases(rows: unknown): unknown {
  return (rows as readonly CatShard[]).map((row) => ({
    i: row.index,
    s: row.shard,
    p: row.prirep,
    st: row.state,
    d: row.docs,
    sto: row.store,
    id: row.id,
    n: row.node,
    ur: row['unassigned.reason'],
    ua: row['unassigned.at'],
    ud: row['unassigned.details'],
  }));
}

const files: readonly (readonly [RegExp, string])[] = [
  [/^\/\?/, 'root.json'],
  [/^\/_cluster\/health\?(?!level)/, 'cluster_health.json'],
  [/^\/_cluster\/health\?level=indices/, 'cluster_health_indices.json'],
  [/^\/_cluster\/health\/[^?]+\?level=shards/, 'cluster_health_shards.json'],
  [/^\/_cat\/master/, 'cat_master.json'],
  [/^\/_nodes\/stats/, 'nodes_stats.json'],
  [/^\/_nodes\//, 'nodes.json'],
  [/^\/_cluster\/pending_tasks/, 'cluster_pending_tasks.json'],
  [/^\/_cluster\/settings/, 'cluster_settings_flat_defaults.json'],
  [/^\/_cat\/indices/, 'cat_indices.json'],
  [/^\/[^_][^/]*\/_stats/, 'stats_shards.json'],
  [/^\/_cat\/shards/, 'cat_shards.json'],
  [/^\/_cluster\/stats/, 'cluster_stats.json'],
  [/^\/_recovery/, 'recovery.json'],
  [/^\/_tasks/, 'tasks_detailed.json'],
  [/^\/_data_stream/, 'data_stream.json'],
];

/** Without a master, one call was captured under the name of its query string. */
function fileIn(capture: ReadonlyMap<string, unknown>, file: string | undefined): string | undefined {
  return file === 'cluster_health.json' && !capture.has(file)
    ? [...capture.keys()].find((name) => name.startsWith('_cluster-health'))
    : file;
}

function statusOf(body: unknown): number {
  return typeof body === 'object' && body !== null && 'status' in body && typeof body.status === 'number'
    ? body.status
    : 200;
}

/** Answers the collectors' calls as the captured cluster did; `alter` changes an answer before it is returned. */
export function capturedCluster(
  capture: ReadonlyMap<string, unknown>,
  alter: (body: unknown) => unknown = (body) => body,
): SearchClient & { readonly calls: readonly string[] } {
  const calls: string[] = [];
  const answer = (file: string | undefined): SearchAnswer => {
    const found = capture.get(fileIn(capture, file) ?? '');
    const body = alter(file === 'cat_shards.json' && found !== undefined ? withAliases(found) : found);
    return { status: found === undefined ? 503 : statusOf(found), body, bytes: 0 };
  };
  return {
    calls,
    get(path) {
      calls.push(path);
      return Promise.resolve(answer(files.find(([pattern]) => pattern.test(path))?.[1]));
    },
    explain(shard: ShardToExplain | undefined) {
      calls.push('POST /_cluster/allocation/explain');
      const file = shard === undefined ? 'allocation_explain' : `allocation_explain_${shard.index}`;
      return Promise.resolve(
        answer(capture.has(`${file}.json`) ? `${file}.json` : 'allocation_explain.json'),
      );
    },
  };
}

export type CollectedSections = ReadonlyMap<SectionName, Outcome>;

/** Collects every section once, in order, as a watch does; only those in `only` if it is given. */
export async function collectAll(
  client: SearchClient,
  settings: CollectorSettings = defaultCollectorSettings,
  only?: readonly SectionName[],
): Promise<CollectedSections> {
  const { signal } = new AbortController();
  const cluster = parseIdentity(await client.get(identityPath, { signal }));
  const memory = newClusterMemory();
  const outcomes = new Map<SectionName, Outcome>();
  for (const section of sections.filter(({ name }) => only?.includes(name) ?? true)) {
    outcomes.set(
      section.name,
      await collectSection(section, {
        client,
        cluster,
        settings,
        memory,
        signal,
        now: () => 1_795_244_914_524,
      }),
    );
  }
  return outcomes;
}

/** The body of a section that was collected. */
export function bodyOf<Name extends SectionName>(
  outcomes: CollectedSections,
  name: Name,
): Collected<Name>['body'] {
  return collectedOf(outcomes, name).body;
}

export function collectedOf<Name extends SectionName>(
  outcomes: CollectedSections,
  name: Name,
): Collected<Name> {
  const outcome = outcomes.get(name);
  if (outcome === undefined) throw new Error(`${name} was not collected`);
  if (!outcome.ok) throw outcome.failure;
  if (outcome.collected === null) throw new Error(`${name} had nothing to say`);
  return outcome.collected;
}

/** The items in which the collected sections are sent; `mostOf` limits how much of a list is in one item. */
export function itemsCollected(
  outcomes: CollectedSections,
  mostOf: (split: NonNullable<(typeof sections)[number]['split']>) => number,
): readonly Snapshot[] {
  return sections.flatMap(({ name: section, split }) => {
    const outcome = outcomes.get(section);
    if (outcome?.ok !== true || outcome.collected === null) return [];
    const record = {
      cluster: { uuid: 'u', name: null, version: null, major: null },
      section,
      intervalSeconds: 60,
      id: 'c',
      reporter: 'h',
      takenAt: 1_795_244_914_524,
      tookMs: 1,
    };
    return itemsOf(record, outcome.collected, split && { ...split, most: mostOf(split) });
  });
}
