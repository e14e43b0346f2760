import type { SlowOperationItem } from '../../../schemas/slow-operations.js';
import type { LoggedOperation } from '../parse/logged-operation.js';
import { digestOf, opaque } from './identifiers.js';
import { scrubText } from './scrub-text.js';
import { cut } from './truncate.js';
import { marker } from './span.js';

/** What the operator of the agent decided. Lengths are in UTF-16 units. */
export interface ScrubLimits {
  readonly maxQueryLength: number;
  readonly maxSourceLength: number;
  readonly storeSource: boolean;
}

/** An entry on its way to the scrubber. */
export interface ScrubJob {
  readonly id: string;
  readonly operation: LoggedOperation;
  readonly cluster: { readonly uuid: string; readonly name: string | null };
  readonly limits: ScrubLimits;
  /** Key of the digests that stand for ids and users. */
  readonly digestKey: string;
}

/** The entry as it may leave the host. Pure. */
export function scrubOperation(job: ScrubJob): SlowOperationItem {
  const { operation } = job;
  const stats = operation.stats
    .filter((group) => group !== '')
    .slice(0, 100)
    .map((group) => cut(scrubText(group), 200).text || marker);
  const bare = withoutTexts(job);
  return operation.kind === 'search'
    ? { ...bare, stats, ...queryOf(operation.source, job.limits) }
    : { ...bare, stats, ...documentOf(operation.source, job.limits) };
}

/** What is left of an entry whose texts could not be scrubbed: they stay on the host. */
export function withheldOperation(job: ScrubJob, reason: string): SlowOperationItem {
  return { ...withoutTexts(job), withheld: reason };
}

function queryOf(source: string | null, limits: ScrubLimits): Partial<SlowOperationItem> {
  if (source === null) return {};
  const kept = cut(scrubText(source), limits.maxQueryLength);
  return {
    query: kept.text,
    query_cut: kept.wasCut,
    redactions: kept.replacements,
  };
}

/** Of a document, that it was there and how large is kept; itself only where the operator said so. */
function documentOf(source: string | null, limits: ScrubLimits): Partial<SlowOperationItem> {
  if (source === null || !limits.storeSource) return {};
  const kept = cut(scrubText(source), limits.maxSourceLength);
  return { source: kept.text, source_cut: kept.wasCut, redactions: kept.replacements };
}

function withoutTexts({ id, operation, cluster, digestKey }: ScrubJob): SlowOperationItem {
  const isSearch = operation.kind === 'search';
  const hidden = (text: string | null): string | null => (text === null ? null : opaque(text, digestKey));
  return {
    id,
    cluster_uuid: cluster.uuid,
    cluster_name: operation.clusterName ?? cluster.name,
    node_id: operation.nodeId,
    node_name: operation.nodeName,
    at: operation.at,
    kind: operation.kind,
    phase: operation.phase,
    level: operation.level,
    index: operation.index,
    index_uuid: operation.indexUuid,
    shard: operation.shard,
    took_ms: operation.tookMs,
    total_hits: operation.totalHits,
    total_hits_at_least: operation.totalHitsAtLeast,
    search_type: operation.searchType,
    total_shards: operation.totalShards,
    stats: [],
    opaque_id: isSearch ? hidden(operation.id) : null,
    document_id: isSearch ? null : hidden(operation.id),
    routing: hidden(operation.routing),
    trace_id: operation.traceId,
    user: operation.user === null ? null : digestOf(operation.user, digestKey),
    query: null,
    query_length: isSearch ? (operation.source?.length ?? 0) : 0,
    query_cut: false,
    source_bytes: isSearch || operation.source === null ? null : Buffer.byteLength(operation.source),
    source: null,
    source_cut: false,
    size_at_least: operation.source === null ? null : !isWhole(operation.source),
    redactions: 0,
    withheld: null,
  };
}

/** Nodes cut the documents that they log, and say nothing of it: what is left is no JSON then. */
function isWhole(source: string): boolean {
  if (!source.trimStart().startsWith('{')) return false;
  try {
    JSON.parse(source);
    return true;
  } catch {
    return false;
  }
}
