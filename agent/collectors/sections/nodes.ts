import type { Unavailable } from '../../../schemas/snapshots.js';
import type { NodesSection } from '../../../schemas/snapshots/node-section.js';
import { nodeTimeout } from '../../integration/client/waits.js';
import { readMetrics, versionsOf } from '../known-metrics.js';
import { absencesOf, type KnownReasons } from '../parse/absences.js';
import { amountAt, isFrom } from '../parse/answer.js';
import { hostMemoryReason } from '../parse/node-figures.js';
import { incarnationOf, parseNodeListing, parseNodeStats, type KnownNode } from '../parse/nodes.js';
import { alwaysZeroFromMajor8, alwaysZeroReason, operationMetrics } from '../parse/operations.js';
import { isDataNode } from '../parse/topology.js';
import type { CollectorSettings } from '../settings.js';
import { pathChunks, type Collection, type Section } from '../section.js';

const listed = '_nodes,nodes.*.name,nodes.*.version,nodes.*.roles,nodes.*.jvm.start_time_in_millis';

const wanted = [
  '_nodes',
  ...[
    'timestamp',
    'name',
    'host',
    'roles',
    'indices',
    'os.cpu',
    'os.mem',
    'os.swap',
    'os.cgroup',
    'process',
    'jvm.uptime_in_millis',
    'jvm.mem',
    'jvm.threads',
    'jvm.gc',
    'thread_pool',
    'fs.total',
    'fs.data',
    'fs.io_stats.total',
    'transport.server_open',
    'transport.rx*',
    'transport.tx*',
    'http.current_open',
    'http.total_opened',
    'breakers',
    'indexing_pressure',
  ].map((field) => `nodes.*.${field}`),
].join(',');

const groups = 'indices,os,process,jvm,thread_pool,fs,transport,http,breaker';

const reasons: KnownReasons = {
  ...Object.fromEntries(
    alwaysZeroFromMajor8.map((field) => [
      `nodes.*.operations.${field}`,
      { code: 'always_zero' as const, reason: alwaysZeroReason },
    ]),
  ),
  'nodes.*.memory_pools.*.max_bytes': { code: 'undefined', reason: 'the JVM gives this pool no limit' },
  'nodes.*.cgroup_memory_limit_bytes': {
    code: 'undefined',
    reason: 'no memory limit is set, or no cgroup is seen',
  },
  'nodes.*.cgroup_cpu_quota_micros': {
    code: 'undefined',
    reason: 'no CPU quota is set, or no cgroup is seen',
  },
  'nodes.*.circuit_breakers.*.limit_bytes': { code: 'undefined', reason: 'this breaker has no limit' },
  ...Object.fromEntries(
    ['total', 'free', 'used'].map((part) => [`nodes.*.memory_${part}_bytes`, hostMemoryReason]),
  ),
  'nodes.*.is_master': { code: 'failed', reason: 'the elected master could not be read' },
  'nodes.*.incarnation': {
    code: 'failed',
    reason: 'the start of its JVM is unknown, or it may have restarted meanwhile',
  },
  'nodes.*.jvm_started_at': { code: 'failed', reason: 'the node may have restarted while it was asked' },
};

/** Every node has some of each, so an empty list is a missing one. */
const neverEmpty = [
  'garbage_collectors',
  'memory_pools',
  'data_paths',
  'thread_pools',
  'circuit_breakers',
].map((list) => `nodes.*.${list}`);

/** All counters and gauges of nodes, every cycle. */
export const nodesCollector: Section<'nodes'> = {
  name: 'nodes',
  intervalSeconds: () => 60,
  enabled: () => true,
  privilege: 'cluster: monitor',
  split: { list: 'nodes', most: () => 50 },
  async collect(collection) {
    const { settings, memory, cluster, now } = collection;
    const began = now();
    const { known, total } = await listNodes(collection);
    const chosen = [...known].sort(byImportance(memory.master.id)).slice(0, settings.maxNodes);
    const cut = known.length - chosen.length;
    // A node that did not answer the listing is not waited for a second time.
    const asksAllNodes = cut === 0 && known.length === total;
    const targets = asksAllNodes ? [''] : pathChunks(chosen.map(({ id }) => id)).map((ids) => `/${ids}`);
    const versions = versionsOf(known, cluster);
    const answers: unknown[] = [];
    for (const target of targets) answers.push(await statsOf(collection, target, versions));
    const body = parseNodeStats(answers, known, {
      masterId: memory.master.id,
      total,
      cut,
      tookMs: now() - began,
    });
    const partial = (body.nodes_failed ?? 0) > 0 || body.nodes.length + cut < total;
    const absences = absencesOf(body, [], reasons, cluster.version, neverEmpty);
    return { body, partial, unavailable: [...absences, ...cutNodes(body, settings)] };
  },
};

/** The absence that names the nodes that were omitted; nothing if none was. */
export function cutNodes(
  { nodes_cut: cut, nodes_total: total }: Pick<NodesSection, 'nodes_cut' | 'nodes_total'>,
  { maxNodes }: CollectorSettings,
): readonly Unavailable[] {
  if (cut === null || cut === 0) return [];
  const reason = `${cut} of ${total} nodes are left out (maxNodes ${maxNodes}); the elected master and data nodes are kept first`;
  return [{ field: 'nodes', code: 'cut', reason }];
}

/** The nodes that answered the listing, and the number of all nodes. */
export async function listNodes({ read, settings }: Pick<Collection, 'read' | 'settings'>): Promise<{
  readonly known: readonly KnownNode[];
  readonly total: number;
}> {
  const answer = await read(`/_nodes/jvm?${nodeTimeout(settings)}&filter_path=${listed}`);
  const known = parseNodeListing(answer);
  return { known, total: amountAt(answer, '_nodes', 'total') ?? known.length };
}

/** Incarnations by node id. */
export function incarnations(known: readonly KnownNode[]): ReadonlyMap<string, string | null> {
  return new Map(known.map((node) => [node.id, incarnationOf(node)]));
}

function byImportance(masterId: string | null): (one: KnownNode, other: KnownNode) => number {
  const rank = ({ id, roles }: KnownNode): number => (id === masterId ? 0 : isDataNode(roles) ? 1 : 2);
  return (one, other) =>
    rank(one) - rank(other) || ((one.name ?? one.id) < (other.name ?? other.id) ? -1 : 1);
}

const indexingPressureSince = [7, 9] as const;

function statsOf(collection: Collection, target: string, versions: readonly string[]): Promise<unknown> {
  return readMetrics(collection, versions, (known) => {
    const hasPressure = known.length > 0 && known.every((version) => isFrom(version, indexingPressureSince));
    const metrics = hasPressure ? `${groups},indexing_pressure` : groups;
    return `/_nodes${target}/stats/${metrics}/${operationMetrics(known)}?${nodeTimeout(collection.settings)}&filter_path=${wanted}`;
  });
}
