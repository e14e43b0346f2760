import { createHash } from 'node:crypto';
import { z } from 'zod';
import { capabilitiesSection } from './snapshots/capability-section.js';
import {
  clusterStatsSection,
  dataStreamsSection,
  healthSection,
  pendingTasksSection,
} from './snapshots/cluster-section.js';
import { list, text } from './snapshots/fields.js';
import { indicesSection } from './snapshots/index-section.js';
import { nodesSection } from './snapshots/node-section.js';
import { allocationExplainSection, shardsSection } from './snapshots/shard-section.js';
import { topologySection, watermarksSection } from './snapshots/topology-section.js';
import { recoverySection, tasksSection } from './snapshots/work-section.js';

/** The `body` of each section. Counters are as the cluster reports them: the server computes rates later. */
export const sectionBodies = {
  health: healthSection,
  nodes: nodesSection,
  indices: indicesSection,
  shards: shardsSection,
  cluster_stats: clusterStatsSection,
  pending_tasks: pendingTasksSection,
  recovery: recoverySection,
  tasks: tasksSection,
  data_streams: dataStreamsSection,
  topology: topologySection,
  watermarks: watermarksSection,
  allocation_explain: allocationExplainSection,
  capabilities: capabilitiesSection,
} as const;

export type SectionName = keyof typeof sectionBodies;
export type SectionBody<Name extends SectionName> = z.output<(typeof sectionBodies)[Name]>;

export const sectionNames = Object.keys(sectionBodies) as readonly SectionName[];

/** The largest body of one item, in bytes of JSON: longer lists are split into parts. */
export const largestBodyBytes = 1_000_000;

/** The most items (parts) of one collection. */
export const mostParts = 10_000;

const unavailableCodes = [
  'not_given',
  'always_zero',
  'undefined',
  'forbidden',
  'api_missing',
  'failed',
  'cut',
] as const;

/** A field that is null, as a dotted path with `*` for any element of a list, and why. */
const unavailable = z.object({
  field: z.string().min(1).max(256),
  code: z.enum(unavailableCodes),
  reason: z.string().max(1_024),
});
export type Unavailable = z.output<typeof unavailable>;

const clusterUuid = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'must be the UUID of a cluster: letters, digits, - and _')
  .refine((uuid) => uuid !== '_na_', 'is "_na_": the cluster has not formed, and has no identity yet');

const header = z.object({
  cluster_uuid: clusterUuid,
  cluster_name: text(),
  cluster_version: text(64),
  section: z.enum(sectionNames as [SectionName, ...SectionName[]]),
  /** Start of the interval that the snapshot represents, milliseconds since the epoch: a multiple of the interval. */
  slot: z.number().int().min(0),
  interval_seconds: z.number().int().min(1).max(86_400),
  /** Shared by all parts of one collection. Another agent's collection of the same slot has another id. */
  collection: z.string().min(1).max(64),
  /** The collecting agent's host, for people. */
  reporter: text(256),
  taken_at: z.number().int().min(0),
  took_ms: z.number().min(0),
  /** 1..parts: a long list is sent in several items. */
  part: z.number().int().min(1),
  parts: z.number().int().min(1).max(mostParts),
  /** Some nodes or shards did not answer: sums are too low, and what is absent might still exist. */
  partial: z.boolean().default(false),
  unavailable: list(unavailable, 500),
});

type SnapshotHeader = Omit<z.output<typeof header>, 'section'>;

/** One section of one cluster at one time (or one part of it). */
export type Snapshot = {
  readonly [Name in SectionName]: SnapshotHeader & {
    readonly section: Name;
    readonly body: SectionBody<Name>;
  };
}[SectionName];
export type SnapshotOf<Name extends SectionName> = Extract<Snapshot, { readonly section: Name }>;

export type ParsedSnapshot =
  { readonly ok: true; readonly snapshot: Snapshot } | { readonly ok: false; readonly reason: string };

function firstProblem({ issues }: z.ZodError): string {
  const issue = issues[0];
  if (issue === undefined) return 'is not valid';
  return issue.path.length === 0 ? issue.message : `${issue.path.map(String).join('.')}: ${issue.message}`;
}

/** Parses a snapshot; returns it, or a reason that names the field. Unknown fields are dropped. */
export function parseSnapshot(item: unknown): ParsedSnapshot {
  const head = header.safeParse(item);
  if (!head.success) return { ok: false, reason: firstProblem(head.error) };
  const { section, part, parts, slot, interval_seconds } = head.data;
  if (part > parts) return { ok: false, reason: `part: is ${part} of ${parts}` };
  if (slot % (interval_seconds * 1_000) !== 0) {
    return { ok: false, reason: `slot: must be a multiple of interval_seconds (${interval_seconds} s)` };
  }
  const body = sectionBodies[section].safeParse((item as { body?: unknown }).body);
  if (!body.success) {
    return { ok: false, reason: `body of ${section}: ${firstProblem(body.error)}` };
  }
  return { ok: true, snapshot: { ...head.data, body: body.data } as Snapshot };
}

/** The slot of a timestamp. Agents that collect at different times within an interval agree on it. */
export function slotOf(at: number, intervalSeconds: number): number {
  const interval = intervalSeconds * 1_000;
  return Math.floor(at / interval) * interval;
}

/** 32 hexadecimal digits, determined by cluster, section, slot and part, whichever agent collected it. */
export function snapshotId(of: Pick<Snapshot, 'cluster_uuid' | 'section' | 'slot' | 'part'>): string {
  const identity = [of.cluster_uuid, of.section, of.slot, of.part].join('\n');
  return createHash('sha256').update(identity).digest('hex').slice(0, 32);
}
