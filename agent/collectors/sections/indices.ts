import type { IndexSnapshot, IndicesSection } from '../../../schemas/snapshots/index-section.js';
import type { Unavailable } from '../../../schemas/snapshots.js';
import { masterTimeout } from '../../integration/client/waits.js';
import { CallFailure, failureOfThrown } from '../call-failure.js';
import { readMetrics, versionsOf } from '../known-metrics.js';
import { absencesOf, type KnownReasons } from '../parse/absences.js';
import { entriesAt, flagAt, isFrom, majorOf } from '../parse/answer.js';
import {
  failedShards,
  bySize,
  parseIndexStats,
  parseListedIndex,
  type IndexOperations,
  type ListedIndex,
} from '../parse/indices.js';
import type { KnownNode } from '../parse/nodes.js';
import { alwaysZeroFromMajor8, alwaysZeroReason, operationMetrics } from '../parse/operations.js';
import { pathChunks, type Collection, type Section } from '../section.js';
import { incarnations, listNodes } from './nodes.js';

const listing =
  '/_cat/indices?format=json&bytes=b&h=index,uuid,health,status,pri,rep,docs.count,docs.deleted,store.size,pri.store.size';

const wanted = [
  '_shards',
  'indices.*.uuid',
  'indices.*.total',
  'indices.*.primaries',
  'indices.*.shards.*.routing.primary',
  'indices.*.shards.*.routing.node',
].join(',');

/**
 * Every index is listed; only the largest have operations. A closed index, or one without an active copy, has no size.
 */
const natural = ['indices.*.total', 'indices.*.primary', 'indices.*.incarnation'];

const zeros: readonly (readonly [string, KnownReasons[string]])[] = ['total', 'primary'].flatMap((of) =>
  alwaysZeroFromMajor8.map(
    (field) => [`indices.*.${of}.${field}`, { code: 'always_zero', reason: alwaysZeroReason }] as const,
  ),
);
const unsized = {
  code: 'undefined' as const,
  reason: 'the index is closed, or none of its copies is active',
};
const reasons: KnownReasons = {
  ...Object.fromEntries(zeros),
  indices_total: {
    code: 'failed',
    reason: 'the health of the indices, which lists all of them, could not be read',
  },
  'indices.*.docs_count': unsized,
  'indices.*.docs_deleted': unsized,
  'indices.*.store_bytes': unsized,
  'indices.*.primary_store_bytes': unsized,
};

/** All indices with size, health and documents; the largest with all of their counters. */
export const indicesCollector: Section<'indices'> = {
  name: 'indices',
  intervalSeconds: ({ indexIntervalSeconds }) => indexIntervalSeconds,
  enabled: ({ enabled, indices }) => enabled && indices,
  privilege: 'cluster: monitor; indices *: monitor',
  split: { list: 'indices', most: ({ maxIndicesPerPayload }) => maxIndicesPerPayload },
  async collect(collection) {
    const { settings, memory, cluster } = collection;
    const listed = await listIndices(collection);
    const counted = await countIndices(collection);
    memory.indexUuids = new Map(listed.map(({ index, uuid }) => [index, uuid]));
    const largest = listed.filter(({ state }) => state !== 'close').slice(0, settings.maxIndices);
    const { operations, failed, noNodes } = await operationsOf(collection, largest);
    const indices = listed.map((index) => complete(index, operations.get(index.index)));
    const body = {
      // An index that was deleted between the two calls is still listed.
      indices_total: counted === null ? null : Math.max(counted, listed.length),
      indices_with_operations: indices.filter(({ total }) => total !== null).length,
      slow_search_threshold_ms: settings.slowSearchThresholdMs,
      slow_indexing_threshold_ms: settings.slowIndexingThresholdMs,
      indices,
    };
    const known = { ...reasons, 'indices.*.incarnation': withoutNodes(noNodes) };
    const unavailable = [
      ...unlistedOf(body),
      ...cutOf(body),
      ...absencesOf(withoutNullOperations(body), [], known, cluster.version),
    ];
    return { body, partial: failed > 0, unavailable };
  },
};

const hiddenSince = [7, 7] as const;

/** Includes hidden ones. During an upgrade an older node can receive the call and refuse the parameter. */
async function listIndices(collection: Collection): Promise<readonly ListedIndex[]> {
  const path = `${listing}&${masterTimeout(collection.settings)}`;
  if (isFrom(collection.cluster.version ?? '', hiddenSince)) {
    try {
      return await listedBy(collection, `${path}&expand_wildcards=all`);
    } catch (thrown) {
      if (!(thrown instanceof CallFailure && thrown.kind === 'missing')) throw thrown;
    }
  }
  return listedBy(collection, path);
}

async function listedBy({ readRows }: Collection, path: string): Promise<readonly ListedIndex[]> {
  const listed: ListedIndex[] = [];
  await readRows(path, (row) => {
    const index = parseListedIndex(row);
    if (index !== null) listed.push(index);
  });
  return listed.sort(bySize);
}

interface Read {
  readonly operations: ReadonlyMap<string, IndexOperations>;
  readonly failed: number;
  /** Why the nodes are unknown. */
  readonly noNodes: CallFailure | undefined;
}

async function operationsOf(collection: Collection, indices: readonly ListedIndex[]): Promise<Read> {
  if (indices.length === 0) return { operations: new Map(), failed: 0, noNodes: undefined };
  const { known, noNodes } = await nodesOf(collection);
  const versions = versionsOf(known, collection.cluster);
  const majors = versions.flatMap((version) => majorOf(version) ?? []);
  // During an upgrade the sums mix figures of both versions: they already include the false zeros.
  const major = majors.length === 0 ? collection.cluster.major : Math.max(...majors);
  const operations = new Map<string, IndexOperations>();
  let failed = 0;
  for (const names of pathChunks(indices.map(({ index }) => index))) {
    const answer = await readMetrics(
      collection,
      versions,
      (all) =>
        `/${names}/_stats/${operationMetrics(all)}?level=shards&ignore_unavailable=true&filter_path=${wanted}`,
    );
    failed += failedShards(answer) ?? 0;
    for (const [index, read] of parseIndexStats(answer, incarnations(known), major))
      operations.set(index, read);
  }
  return { operations, failed, noNodes };
}

type Nodes = Pick<Read, 'noNodes'> & { readonly known: readonly KnownNode[] };

/** The counters of indices are useful without the nodes too. A cluster that is too busy gets no further calls. */
async function nodesOf(collection: Collection): Promise<Nodes> {
  try {
    const { known } = await listNodes(collection);
    return { known, noNodes: undefined };
  } catch (thrown) {
    const failure = failureOfThrown(thrown);
    if (failure.kind === 'unauthorized' || failure.kind === 'busy') throw failure;
    return { known: [], noNodes: failure };
  }
}

function withoutNodes(noNodes: CallFailure | undefined): KnownReasons[string] {
  const why = noNodes === undefined ? '' : `: the nodes could not be listed (${noNodes.reason})`;
  return {
    code: noNodes?.kind === 'forbidden' ? 'forbidden' : 'failed',
    reason: `it is unknown where each copy of the index is, and when those nodes started${why}`,
  };
}

/** An index that was recreated between the listing and the statistics has no operations this time. */
function complete(index: ListedIndex, read: IndexOperations | undefined): IndexSnapshot {
  const same = read !== undefined && (read.uuid === null || index.uuid === null || read.uuid === index.uuid);
  return same
    ? { ...index, incarnation: read.incarnation, total: read.total, primary: read.primary }
    : { ...index, incarnation: null, total: null, primary: null };
}

type Body = Pick<IndicesSection, 'indices_total' | 'indices'>;

/**
 * The listing has only the indices that the role may monitor. The cluster's health, a call for the whole
 * cluster, counts every index, including closed ones, hidden ones and those without an active copy, which
 * `_cluster/stats` omits.
 */
async function countIndices({ ask, settings }: Collection): Promise<number | null> {
  const path = `/_cluster/health?level=indices&${masterTimeout(settings)}&filter_path=indices.*.number_of_shards,timed_out`;
  try {
    const { status, body } = await ask(path);
    return status === 200 && flagAt(body, 'timed_out') === false ? entriesAt(body, 'indices').length : null;
  } catch (thrown) {
    const failure = failureOfThrown(thrown);
    if (failure.kind === 'unauthorized' || failure.kind === 'busy') throw failure;
    return null;
  }
}

function unlistedOf({ indices_total: total, indices }: Body): readonly Unavailable[] {
  const unlisted = (total ?? 0) - indices.length;
  if (unlisted <= 0) return [];
  const reason = `${unlisted} of the cluster's ${total} indices are not listed: the role may not monitor them (such as Elasticsearch's own .security without allow_restricted_indices), or they were created meanwhile`;
  return [{ field: 'indices', code: 'not_given', reason }];
}

function withoutNullOperations(body: Body): object {
  const measured = new Set(natural.map((field) => field.slice('indices.*.'.length)));
  return {
    ...body,
    indices: body.indices.map((index) =>
      index.total === null
        ? Object.fromEntries(Object.entries(index).filter(([field]) => !measured.has(field)))
        : index,
    ),
  };
}

function cutOf({ indices }: Body): readonly Unavailable[] {
  const without = indices.filter(({ total }) => total === null).length;
  if (without === 0) return [];
  const reason = `${without} of ${indices.length} indices are only listed: beyond maxIndices by store size, closed, or not readable`;
  return ['total', 'primary', 'incarnation'].map((field) => ({
    field: `indices.*.${field}`,
    code: 'cut',
    reason,
  }));
}
