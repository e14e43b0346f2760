import { longestName } from '../../schemas/slow-operation-bounds.js';
import type { SlowOperationItem } from '../../schemas/slow-operations.js';
import { digestOf, opaque } from './opaque-ids.js';
import type { LoggedOperation } from './parse/logged-operation.js';
import { cut, marker, redactionsIn, unscrubbed, type Cut, type Scrubbed } from './scrub/replacements.js';
import { scrubName, scrubText } from './scrub/scrub-text.js';
import { withoutIds } from './scrub/searched-ids.js';
import { shapeOf } from './scrub/shape.js';

/** The limits that the agent's operator has set. Lengths are in UTF-16 units. */
interface ScrubLimits {
  readonly maxQueryLength: number;
  readonly maxSourceLength: number;
  readonly storeSource: boolean;
  readonly queryText: QueryText;
}

/** How much of a query's text is kept: scrubbed, without any literal, or nothing. */
type QueryText = 'scrubbed' | 'shape' | 'none';

/** An entry for the scrubber. */
export interface ScrubJob {
  readonly id: string;
  readonly operation: LoggedOperation;
  readonly cluster: { readonly uuid: string; readonly name: string | null };
  readonly limits: ScrubLimits;
  /** Key of the digests that replace ids and users. */
  readonly digestKey: string;
}

/** The entry as it may leave the host. Pure. */
export function scrubOperation(job: ScrubJob): SlowOperationItem {
  const { operation, limits, digestKey } = job;
  const bare = withoutTexts(job);
  const groups = operation.stats
    .filter((group) => group !== '')
    .slice(0, 100)
    .map((group) => scrubbedWindow(group, 200));
  const { redactions, ...text } =
    operation.kind === 'search'
      ? queryOf(operation.source, limits, digestKey)
      : documentOf(operation.source, limits);
  return {
    ...bare,
    ...text,
    stats: groups.map((group) => group.text || marker),
    redactions: groups.reduce((sum, group) => sum + redactionsOf(group), bare.redactions + redactions),
  };
}

/** An entry whose texts could not be scrubbed, without them: they stay on the host. */
export function withheldOperation(job: ScrubJob, reason: string): SlowOperationItem {
  return { ...withoutTexts(job), withheld: reason };
}

type Text = Partial<SlowOperationItem> & { readonly redactions: number };

const redactionsOf = ({ replacements }: Cut): number => redactionsIn(replacements).length;

function queryOf(source: string | null, limits: ScrubLimits, digestKey: string): Text {
  if (source === null || limits.queryText === 'none') return { redactions: 0 };
  const kept = scrubSearch(source, limits.queryText, limits.maxQueryLength, digestKey);
  return { query: kept.text, query_cut: kept.wasCut, redactions: redactionsOf(kept) };
}

/**
 * The text of a search as it may leave the host. A shape is that of the whole text, not only of the part that
 * would be scrubbed: lists of any length have the same shape.
 */
export function scrubSearch(
  source: string,
  queryText: Exclude<QueryText, 'none'>,
  maxLength: number,
  digestKey: string,
): Cut {
  return queryText === 'shape'
    ? cut(unscrubbed(shapeOf(source)), maxLength)
    : scrubbedWindow(source, maxLength, (text) => withoutIds(text, digestKey));
}

/** Of a document, only its existence and its size are kept; the document only if the operator has said so. */
function documentOf(source: string | null, limits: ScrubLimits): Text {
  if (source === null || !limits.storeSource) return { redactions: 0 };
  const kept = scrubbedWindow(source, limits.maxSourceLength);
  return { source: kept.text, source_cut: kept.wasCut, redactions: redactionsOf(kept) };
}

/**
 * Only as much of a text is scrubbed as could be kept of it, with room for replacements that are shorter than
 * the text they replace.
 */
const windowAtLeast = 32 * 1024;
const windowTimes = 8;

const windowFor = (limit: number): number => Math.max(windowAtLeast, windowTimes * limit);

function scrubbedWindow(
  source: string,
  limit: number,
  prepare: (text: string) => Scrubbed = unscrubbed,
): Cut {
  const length = windowFor(limit);
  const isCut = source.length > length;
  const kept = cut(scrubText(prepare(source.slice(0, length)), isCut), limit);
  return { ...kept, wasCut: kept.wasCut || isCut };
}

function withoutTexts({ id, operation, cluster, digestKey }: ScrubJob): SlowOperationItem {
  const isSearch = operation.kind === 'search';
  const hidden = (text: string | null): string | null => (text === null ? null : opaque(text, digestKey));
  const clusterName = operation.clusterName ?? (cluster.name === '' ? null : cluster.name);
  let redactions = 0;
  const named = (name: string): string => {
    const { text, replacements } = cut(scrubName(name), longestName);
    redactions += replacements.length;
    return text;
  };
  return {
    id,
    cluster_uuid: cluster.uuid,
    cluster_name: clusterName === null ? null : named(clusterName),
    node_id: operation.nodeId,
    node_name: operation.nodeName === null ? null : named(operation.nodeName),
    at: operation.at,
    kind: operation.kind,
    phase: operation.phase,
    level: operation.level,
    index: named(operation.index),
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
    redactions,
    withheld: null,
  };
}

/** Nodes cut off the documents that they log without saying so: what is left is then not valid JSON. */
function isWhole(source: string): boolean {
  if (!source.trimStart().startsWith('{')) return false;
  try {
    JSON.parse(source);
    return true;
  } catch {
    return false;
  }
}
