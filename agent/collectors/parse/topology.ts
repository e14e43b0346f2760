import type { Unavailable } from '../../../schemas/snapshots.js';
import type { TopologyNode, TopologySection } from '../../../schemas/snapshots/topology-section.js';
import {
  amountAt,
  cut,
  entriesAt,
  fieldsOf,
  instantAt,
  isFrom,
  namesAt,
  textAt,
  textOf,
  valueAt,
} from './answer.js';
import { positive } from './node-lists.js';
import { failedNodes } from './nodes.js';

/** Every role with which a node holds shards: `data` up to 7.9, and the tiers from 7.10 on. */
const dataRoles: ReadonlySet<string> = new Set([
  'data',
  'data_content',
  'data_hot',
  'data_warm',
  'data_cold',
  'data_frozen',
  // Stateless clusters have other names for these nodes.
  'index',
  'search',
]);

export function isDataNode(roles: readonly string[]): boolean {
  return roles.some((role) => dataRoles.has(role));
}

/** Data tiers came with 7.10. */
const knowsTiers = (version: string | null): boolean => version !== null && isFrom(version, [7, 10]);

/** The tiers of a node: a node with the plain role `data` belongs to all but the frozen one. */
function tiersOf(roles: readonly string[], version: string | null): string[] {
  if (!knowsTiers(version)) return [];
  const own = roles.filter((role) => role.startsWith('data_')).map((role) => role.slice('data_'.length));
  return roles.includes('data') ? [...new Set([...own, 'content', 'hot', 'warm', 'cold'])].sort() : own;
}

/** From `_nodes/os,jvm,thread_pool,transport,http`: at most `most` nodes, the elected master and data nodes first. */
export function parseTopology(answer: unknown, masterId: string | null, most: number): TopologySection {
  const all = entriesAt(answer, 'nodes').map(([id, info]) => nodeOf(id, info, masterId));
  const nodes = [...all].sort(byImportance).slice(0, most);
  const failed = failedNodes([answer]);
  return {
    nodes_total: amountAt(answer, '_nodes', 'total') ?? all.length,
    data_nodes:
      (failed ?? 0) > 0 || nodesWithoutRoles(answer) > 0 ? null : all.filter((node) => node.is_data).length,
    nodes_failed: failed,
    nodes_cut: all.length - nodes.length,
    master_node_id: masterId,
    nodes,
  };
}

function nodesWithoutRoles(answer: unknown): number {
  return entriesAt(answer, 'nodes').filter(([, info]) => !Array.isArray(valueAt(info, 'roles'))).length;
}

/** Absences that a null in the body can't express: nodes reported no roles, or have no tiers. */
export function topologyAbsences(answer: unknown): readonly Unavailable[] {
  const nodes = entriesAt(answer, 'nodes');
  const withoutRoles = nodesWithoutRoles(answer);
  const withoutTiers = nodes.filter(([, info]) => !knowsTiers(textAt(info, 'version'))).length;
  const reasons: readonly (readonly [readonly string[], number, string])[] = [
    [['roles', 'is_data', 'is_master_eligible'], withoutRoles, 'nodes did not report their roles'],
    [
      ['tiers'],
      Math.max(withoutRoles, withoutTiers),
      'nodes reported no roles, or are older than data tiers (7.10)',
    ],
  ];
  return reasons.flatMap(([fields, count, why]) =>
    count === 0
      ? []
      : fields.map((field) => ({
          field: `nodes.*.${field}`,
          code: 'not_given' as const,
          reason: `${count} of ${nodes.length} ${why}`,
        })),
  );
}

function byImportance(one: TopologyNode, other: TopologyNode): number {
  const rank = (node: TopologyNode): number => (node.is_master === true ? 0 : node.is_data ? 1 : 2);
  return rank(one) - rank(other) || ((one.name ?? '') < (other.name ?? '') ? -1 : 1);
}

function nodeOf(id: string, info: unknown, masterId: string | null): TopologyNode {
  const roles = namesAt(info, 'roles');
  const version = textOf(valueAt(info, 'version'), 64);
  return {
    node_id: id,
    name: textAt(info, 'name'),
    version,
    host: textAt(info, 'host'),
    ip: textAt(info, 'ip'),
    transport_address: textAt(info, 'transport_address'),
    http_address: textAt(info, 'http', 'publish_address'),
    roles,
    tiers: tiersOf(roles, version),
    is_data: isDataNode(roles),
    is_master_eligible: roles.includes('master'),
    is_master: masterId === null ? null : masterId === id,
    attributes: attributesOf(info),
    os_name: textAt(info, 'os', 'pretty_name') ?? textAt(info, 'os', 'name'),
    processors: amountAt(info, 'os', 'available_processors'),
    allocated_processors: amountAt(info, 'os', 'allocated_processors'),
    jvm_version: textOf(valueAt(info, 'jvm', 'version'), 64),
    jvm_started_at: instantAt(info, 'jvm', 'start_time_in_millis'),
    heap_max_bytes: positive(amountAt(info, 'jvm', 'mem', 'heap_max_in_bytes')),
    thread_pools: entriesAt(info, 'thread_pool')
      .slice(0, 200)
      .map(([pool, limits]) => ({
        pool,
        type: textOf(valueAt(limits, 'type'), 64),
        max_threads: amountAt(limits, 'max') ?? amountAt(limits, 'size'),
        queue_size: amountAt(limits, 'queue_size'),
      })),
  };
}

/** Attributes for allocation; those that Elasticsearch sets by itself are left out. */
function attributesOf(info: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fieldsOf(valueAt(info, 'attributes')))
      .filter(([key]) => !/^(xpack|ml|transform)\./.test(key) && key.length <= 256)
      .slice(0, 20)
      .flatMap(([key, value]) => (typeof value === 'string' ? [[key, cut(value, 1_024)]] : [])),
  );
}
