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

/** What is null because the shard is where it should be, or nowhere. */
const natural = [
  'node_id',
  'node',
  'relocating_to_node_id',
  'relocating_to_node',
  'unassigned_reason',
  'unassigned_at',
  'unassigned_details',
].map((field) => `shards.*.${field}`);

const untold = { code: 'failed' as const, reason: 'the node that holds the shard did not tell' };

/** What no node has opened holds nothing that could be told. */
const withoutUnopened = (body: { readonly shards: readonly ShardSnapshot[] }): object => ({
  ...body,
  shards: body.shards.map(({ docs, store_bytes, ...shard }) =>
    shard.state === 'UNASSIGNED' || shard.state === 'INITIALIZING' ? shard : { ...shard, docs, store_bytes },
  ),
});

/** Where every shard is; started ones beyond `maxShards` are counted and left out. */
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

/** With more of them unassigned, the stack traces alone would be some 10 MB. */
const mostDetailed = 1_000;

const withoutDetails = {
  field: 'shards.*.unassigned_details',
  code: 'cut' as const,
  reason: `the details of unassigned shards are not asked for where there are more than ${mostDetailed}, or where they make the listing too long`,
};

/** That shards are unassigned is more than what was told of each: with too much of that, they are listed without it. */
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

/** A shard does not tell the UUID of its index, and no listing holds every index. */
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
    reason: `the last listing of the indices lacks ${names.slice(0, mostNamed).join(', ')}${more}: made since, or one that the role may not list, as Elasticsearch's own (.security) without allow_restricted_indices`,
  };
}

/** Room for them in the first part; a usual one takes 3 KB. */
const mostExplanationBytes = 300_000;

/** With its own listing, an unassigned shard is explained at once. What can't be explained is listed all the same. */
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

/** As many as there is room for; the others were said before. */
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
