import { masterTimeout } from '../../integration/client/waits.js';
import type { Collection, Section } from '../section.js';
import { pathChunks } from '../section.js';
import { CallFailure, failureOfThrown } from '../call-failure.js';
import type { SearchAnswer } from '../client-port.js';
import { absencesOf } from '../parse/absences.js';
import {
  affectedOf,
  initializingPrimaries,
  mayStartPrimaries,
  noneAffected,
  notTold,
  parseIndexHealths,
  type AffectedIndices,
  type IndexHealth,
} from '../parse/affected-indices.js';
import { fieldsOf } from '../parse/answer.js';
import { healthWithoutMaster, parseHealth, parseMaster, statusAt, type Master } from '../parse/cluster.js';

const wanted = [
  'status',
  'timed_out',
  'number_of_nodes',
  'number_of_data_nodes',
  'active_primary_shards',
  'active_shards',
  'relocating_shards',
  'initializing_shards',
  'unassigned_shards',
  'delayed_unassigned_shards',
  'unassigned_primary_shards',
  'active_shards_percent_as_number',
  'number_of_pending_tasks',
  'task_max_waiting_in_queue_millis',
  'number_of_in_flight_fetch',
].join(',');

const ofIndices = [
  'status',
  'number_of_shards',
  'active_primary_shards',
  'initializing_shards',
  'unassigned_shards',
  'unassigned_primary_shards',
].map((field) => `indices.*.${field}`);

const mostIndicesLookedInto = 200;

const noMaster = { code: 'failed' as const, reason: 'the elected master could not be read' };
const noIndices = {
  code: 'failed' as const,
  reason: 'the list of indices that lack active shards could not be read',
};
const unread = {
  master_node_id: noMaster,
  master_node: noMaster,
  unassigned_primaries: noIndices,
  indices_lacking_primaries: noIndices,
  indices_lacking_replicas: noIndices,
  indices_recovering: noIndices,
  'affected_indices.*.unassigned_primaries': noIndices,
};

/** Cluster status and counts, every cycle. */
export const healthCollector: Section<'health'> = {
  name: 'health',
  intervalSeconds: () => 60,
  enabled: () => true,
  privilege: 'cluster: monitor',
  async collect(collection) {
    const { memory, cluster } = collection;
    memory.unassigned = null;
    try {
      const first = await collection.read(
        `/_cluster/health?${masterTimeout(collection.settings)}&filter_path=${wanted}`,
      );
      const master = await electedMaster(collection);
      const { answer, affected } = await withIndices(collection, first);
      const body = parseHealth(answer, master, affected);
      memory.unassigned = body.unassigned_shards;
      return {
        body,
        partial: body.timed_out === true,
        unavailable: absencesOf(body, [], unread, cluster.version),
      };
    } catch (thrown) {
      if (!(thrown instanceof CallFailure && thrown.kind === 'no_master')) throw thrown;
      memory.master = { id: null, name: null };
      const reasons = { '*': { code: 'failed' as const, reason: 'the cluster has no elected master' } };
      return { body: healthWithoutMaster, partial: true, unavailable: [{ field: '*', ...reasons['*'] }] };
    }
  },
};

/** A missing detail does not fail the cluster's health; refused credentials fail everything. */
async function orUnknown(answer: Promise<SearchAnswer>): Promise<SearchAnswer | undefined> {
  try {
    return await answer;
  } catch (thrown) {
    if (failureOfThrown(thrown).kind === 'unauthorized') throw thrown;
    return undefined;
  }
}

async function electedMaster({ ask, settings, memory }: Collection): Promise<Master> {
  const answer = await orUnknown(ask(`/_cat/master?format=json&h=id,node&${masterTimeout(settings)}`));
  memory.master = answer?.status === 200 ? parseMaster(answer.body) : { id: null, name: null };
  return memory.master;
}

interface WithIndices {
  readonly answer: unknown;
  readonly affected: AffectedIndices;
}

/**
 * A cluster that is not green is asked once more, with its indices, so that its counts and the affected
 * indices come from one answer. If that fails, the first answer is used, without the indices.
 */
async function withIndices(collection: Collection, first: unknown): Promise<WithIndices> {
  const status = statusAt(first, 'status');
  if (status === 'green') return { answer: first, affected: noneAffected };
  const nothing = {
    answer: first,
    affected: status === 'yellow' ? { ...notTold, unassigned_primaries: 0 } : notTold,
  };
  if (status === null) return nothing;
  const fields = [wanted, ...ofIndices].join(',');
  const second = await orUnknown(
    collection.ask(
      `/_cluster/health?level=indices&${masterTimeout(collection.settings)}&filter_path=${fields}`,
    ),
  );
  if (second?.status !== 200) return nothing;
  const indices = parseIndexHealths(second.body);
  const starting = await startingPrimaries(collection, indices);
  const answer = { ...fieldsOf(first), ...fieldsOf(second.body) };
  return { answer, affected: affectedOf(answer, indices, starting) };
}

/**
 * How many primaries of each index are being recovered, according to its shards, if the index itself does not
 * report how many are unassigned. An index whose shards could not be read is omitted.
 */
async function startingPrimaries(
  { ask, settings }: Collection,
  indices: readonly IndexHealth[],
): Promise<ReadonlyMap<string, number>> {
  const initializing = indices.filter(mayStartPrimaries).map(({ index }) => index);
  const starting = new Map<string, number>();
  if (initializing.length > mostIndicesLookedInto) return starting;
  for (const names of pathChunks(initializing)) {
    const byShard = await orUnknown(
      ask(
        `/_cluster/health/${names}?level=shards&${masterTimeout(settings)}&filter_path=indices.*.shards.*.primary_active,indices.*.shards.*.initializing_shards`,
      ),
    );
    const counts = byShard?.status === 200 ? initializingPrimaries(byShard.body) : null;
    // By name: a wildcard's answer can contain an index more than once, and other indices.
    for (const [name, count] of counts ?? []) starting.set(name, count);
  }
  return starting;
}
