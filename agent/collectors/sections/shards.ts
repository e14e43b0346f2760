import {
  mostExplanations,
  type AllocationExplanation,
  type ShardSnapshot,
} from '../../../schemas/snapshots/shard-section.js';
import type { Unavailable } from '../../../schemas/snapshots.js';
import { masterTimeout } from '../../integration/client/waits.js';
import { CallFailure, failureOfThrown } from '../call-failure.js';
import { SearchCallError } from '../client-port.js';
import { explainUnassigned, explanationsIn } from '../explanations.js';
import { absencesOf } from '../parse/absences.js';
import { detailedShardColumns, shardColumns, ShardListing } from '../parse/shards.js';
import type { Collection, Section } from '../section.js';

/** Fields that are null because the shard is assigned, or because it is not. */
const natural = [
  'node_id',
  'node',
  'relocating_to_node_id',
  'relocating_to_node',
  'unassigned_reason',
  'unassigned_at',
  'unassigned_details',
].map((field) => `shards.*.${field}`);

const untold = { code: 'failed' as const, reason: 'the node that holds the shard did not report it' };

/** A shard that no node has opened has no figures. */
const withoutUnopened = (body: { readonly shards: readonly ShardSnapshot[] }): object => ({
  ...body,
  shards: body.shards.map(({ docs, store_bytes, ...shard }) =>
    shard.state === 'UNASSIGNED' || shard.state === 'INITIALIZING' ? shard : { ...shard, docs, store_bytes },
  ),
});

/** The nodes of every shard; started shards beyond `maxShards` are counted and left out. */
export const shardsCollector: Section<'shards'> = {
  name: 'shards',
  intervalSeconds: ({ shardIntervalSeconds }) => shardIntervalSeconds,
  enabled: ({ enabled, shards }) => enabled && shards,
  privilege: 'cluster: monitor; indices *: monitor',
  split: { list: 'shards', most: () => 1_000, once: 'explanations' },
  async collect(collection) {
    const { settings, memory, cluster } = collection;
    const { listing, detailed } = await listShards(collection);
    const body = listing.section((index) => memory.indexUuids.get(index) ?? null);
    memory.unassignedShards = body.shards.filter(({ state }) => state === 'UNASSIGNED');
    const cut = body.shards_cut ?? 0;
    const unavailable = [
      ...absencesOf(
        withoutUnopened(body),
        natural,
        {
          'shards.*.index_uuid': unlistedOf(body.shards, memory.indexUuids),
          'shards.*.docs': untold,
          'shards.*.store_bytes': untold,
        },
        cluster.version,
      ),
      ...(cut === 0
        ? []
        : [
            {
              field: 'shards',
              code: 'cut' as const,
              reason: `${cut} of ${body.shards_total} shards are left out (maxShards ${settings.maxShards}); unassigned, initializing and relocating ones are kept first`,
            },
          ]),
      ...(detailed ? [] : [withoutDetails]),
    ];
    const explanations = await explanationsOf(collection, body.unassigned);
    return { body: { ...body, explanations }, partial: false, unavailable };
  },
};

/** With more unassigned shards, the stack traces alone would be some 10 MB. */
const mostDetailed = 1_000;

const withoutDetails = {
  field: 'shards.*.unassigned_details',
  code: 'cut' as const,
  reason: `the details of unassigned shards are not requested if there are more than ${mostDetailed}, or if they make the listing too long`,
};

/**
 * The unassigned shards matter more than their details: if there are too many details, the shards are listed
 * without them.
 */
async function listShards(
  collection: Collection,
): Promise<{ readonly listing: ShardListing; readonly detailed: boolean }> {
  if ((collection.memory.unassigned ?? 0) <= mostDetailed) {
    try {
      return { listing: await listColumns(collection, detailedShardColumns), detailed: true };
    } catch (thrown) {
      if (!(thrown instanceof SearchCallError && thrown.failure === 'too_large')) throw thrown;
    }
  }
  return { listing: await listColumns(collection, shardColumns), detailed: false };
}

async function listColumns({ readRows, settings }: Collection, columns: string): Promise<ShardListing> {
  const listing = new ShardListing(settings.maxShards);
  await readRows(`/_cat/shards?format=json&bytes=b&${masterTimeout(settings)}&h=${columns}`, (row) => {
    listing.add(row);
  });
  if (listing.isBroken)
    throw new CallFailure('broken', 'the listing of the shards has none of the columns that were asked for');
  return listing;
}

const mostNamed = 5;

/** A shard does not report the UUID of its index, and no listing has every index. */
function unlistedOf(
  shards: readonly ShardSnapshot[],
  listed: ReadonlyMap<string, string | null>,
): Omit<Unavailable, 'field'> {
  if (listed.size === 0)
    return { code: 'failed', reason: 'the indices have not been listed; the section indices says why' };
  const names = [...new Set(shards.map(({ index }) => index).filter((index) => !listed.has(index)))];
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return {
    code: 'not_given',
    reason: `the last listing of the indices lacks ${names.slice(0, mostNamed).join(', ')}${more}: created since, or the role may not list them (such as Elasticsearch's own .security without allow_restricted_indices)`,
  };
}

/** The room for explanations in the first part; a usual one takes 3 KB. */
const mostExplanationBytes = 300_000;

/**
 * An unassigned shard is explained at once, with its own listing. One that can't be explained is listed too.
 */
async function explanationsOf(
  collection: Collection,
  unassigned: number | null,
): Promise<AllocationExplanation[]> {
  const { settings, memory } = collection;
  if (!settings.allocationExplain || memory.explainFails) return [];
  try {
    await explainUnassigned(collection, unassigned);
  } catch (thrown) {
    if (failureOfThrown(thrown).kind === 'unauthorized') throw thrown;
  }
  return mostRecent(explanationsIn(memory));
}

/** As many as there is room for; the others were reported before. */
function mostRecent(explanations: readonly AllocationExplanation[]): AllocationExplanation[] {
  let bytes = 0;
  const recent = explanations
    .toSorted((one, other) => (other.explained_at ?? 0) - (one.explained_at ?? 0))
    .slice(0, mostExplanations)
    .filter((explanation) => {
      bytes += Buffer.byteLength(JSON.stringify(explanation));
      return bytes <= mostExplanationBytes;
    });
  const kept = new Set(recent);
  return explanations.filter((explanation) => kept.has(explanation));
}
