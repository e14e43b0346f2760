import { absencesOf } from '../parse/absences.js';
import { shardColumns, ShardListing } from '../parse/shards.js';
import type { Section } from '../section.js';

/** What is null because the shard is where it should be, or nowhere. */
const natural = [
  'node_id',
  'node',
  'relocating_to_node_id',
  'relocating_to_node',
  'docs',
  'store_bytes',
  'unassigned_reason',
  'unassigned_at',
  'unassigned_details',
].map((field) => `shards.*.${field}`);

/** Where every shard is; started ones beyond `maxShards` are counted and left out. */
export const shardsCollector: Section<'shards'> = {
  name: 'shards',
  intervalSeconds: ({ shardIntervalSeconds }) => shardIntervalSeconds,
  enabled: ({ enabled, shards }) => enabled && shards,
  privilege: 'cluster: monitor; indices *: monitor',
  split: { list: 'shards', most: () => 1_000 },
  async collect({ readRows, settings, memory, cluster }) {
    const listing = new ShardListing(settings.maxShards);
    await readRows(`/_cat/shards?format=json&bytes=b&master_timeout=5s&h=${shardColumns}`, (row) => {
      listing.add(row);
    });
    const body = listing.section((index) => memory.indexUuids.get(index) ?? null);
    memory.unassignedShards = body.shards.filter(({ state }) => state === 'UNASSIGNED');
    const cut = body.shards_cut ?? 0;
    const unavailable = [
      ...absencesOf(
        body,
        natural,
        {
          'shards.*.index_uuid': {
            code: 'failed',
            reason: 'the index was not in the last listing of the indices',
          },
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
    ];
    return { body, partial: false, unavailable };
  },
};
