import { z } from 'zod';
import { largestInt, longestName } from './slow-operation-bounds.js';
import type { SlowOperation } from './generated/slow-operation.js';

/** One entry as the agent sends it: the record without the fields that only the edge knows. */
export type SlowOperationItem = Omit<SlowOperation, 'workspace' | 'received_at'>;

export const slowOperationKinds = ['search', 'indexing'] as const;
export type SlowOperationKind = (typeof slowOperationKinds)[number];
export const slowOperationPhases = ['query', 'fetch', 'index'] as const;
export const slowOperationLevels = ['warn', 'info', 'debug', 'trace'] as const;

const name = z.string().min(1).max(longestName);
const text = z.string().max(1_000_000);
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const int32 = z.number().int().min(0).max(largestInt);
const optional = <Of extends z.ZodType>(of: Of) => of.nullable().default(null);

/** Event times before 2000 or after 2100 are mistakes of a clock or of a parser. */
const microseconds = z.number().int().min(946_684_800_000_000).max(4_102_444_800_000_000);

/**
 * How far in the future entries are accepted and searched for. Servers write their logs in their own time
 * zones, and any two time zones differ by less than two days.
 */
export const slowOperationAheadMs = 2 * 86_400_000;

/** The most characters of an entry's text in a list. The answer for a single entry has the whole text. */
export const listedCharacters = 2_000;

const slowOperationItem = z.object({
  id: z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits'),
  cluster_uuid: name.refine((uuid) => uuid !== '_na_', 'is that of a cluster that has not formed'),
  cluster_name: optional(name),
  node_id: optional(name),
  node_name: optional(name),
  at: microseconds,
  kind: z.enum(slowOperationKinds),
  phase: z.enum(slowOperationPhases),
  level: z.enum(slowOperationLevels),
  index: name,
  index_uuid: optional(name),
  shard: optional(int32),
  took_ms: z.number().min(0),
  total_hits: optional(count),
  total_hits_at_least: z.boolean().default(false),
  search_type: optional(name),
  total_shards: optional(int32),
  stats: z.array(name).max(100).default([]),
  opaque_id: optional(name),
  document_id: optional(name),
  routing: optional(name),
  trace_id: optional(name),
  user: optional(name),
  query: optional(text),
  query_length: int32.default(0),
  query_cut: z.boolean().default(false),
  source_bytes: optional(count),
  source: optional(text),
  source_cut: z.boolean().default(false),
  size_at_least: optional(z.boolean()),
  redactions: int32.default(0),
  withheld: optional(z.string().max(1_000)),
});

export const slowOperationFields = Object.keys(
  slowOperationItem.shape,
) as readonly (keyof SlowOperationItem)[];

const beside = ['at', 'cluster_uuid', 'cluster_name'] as const;
export type SlowOperationColumn = Exclude<keyof SlowOperationItem, (typeof beside)[number]>;

/** The columns of an entry other than its time and its cluster. */
export const slowOperationColumns = slowOperationFields.filter(
  (field): field is SlowOperationColumn => !(beside as readonly string[]).includes(field),
);

/** The item, or a reason that names the invalid field. Unknown fields are ignored. */
export function parseSlowOperation(
  item: unknown,
): { readonly item: SlowOperationItem } | { readonly reason: string } {
  const parsed = slowOperationItem.safeParse(item);
  if (parsed.success) return { item: parsed.data };
  const reasons = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'the line'}: ${message}`,
  );
  return { reason: reasons.slice(0, 5).join('; ') };
}
