import { masterTimeout } from '../../integration/client/waits.js';
import type { Collection, Section } from '../section.js';
import { pathChunks } from '../section.js';
import { CallFailure, failureOfThrown } from '../call-failure.js';
import type { SearchAnswer } from '../client-port.js';
import { absencesOf } from '../parse/absences.js';
import { amountAt, textAt } from '../parse/answer.js';
import {
  healthWithoutMaster,
  initializingPrimaries,
  parseHealth,
  parseMaster,
  parseRedIndices,
  type Master,
} from '../parse/cluster.js';

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

const redIndices =
  '/_cluster/health?level=indices&filter_path=indices.*.status,indices.*.number_of_shards,indices.*.active_primary_shards,indices.*.initializing_shards';

const mostIndicesLookedInto = 200;

const noMaster = { code: 'failed' as const, reason: 'the elected master could not be read' };
const unread = {
  master_node_id: noMaster,
  master_node: noMaster,
  unassigned_primaries: {
    code: 'failed' as const,
    reason: 'which of the red indices lack a primary could not be read',
  },
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
      const answer = await collection.read(
        `/_cluster/health?${masterTimeout(collection.settings)}&filter_path=${wanted}`,
      );
      const master = await electedMaster(collection);
      const known = await unassignedPrimaries(collection, answer);
      const body = parseHealth(answer, master, known);
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

/** A detail that can't be had does not cost the cluster's health; credentials that are refused cost everything. */
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

/**
 * How many primaries are unassigned. 9.x says it itself; a cluster that is not red has none. Else the red indices
 * tell, and where one of them initializes something, its shards. Null where that could not be read.
 */
async function unassignedPrimaries(collection: Collection, answer: unknown): Promise<number | null> {
  const { ask } = collection;
  const told = amountAt(answer, 'unassigned_primary_shards');
  if (told !== null) return told;
  const status = textAt(answer, 'status');
  if (status === 'green' || status === 'yellow') return 0;
  if (status !== 'red') return null;
  const byIndex = await orUnknown(ask(`${redIndices}&${masterTimeout(collection.settings)}`));
  if (byIndex?.status !== 200) return null;
  const { inactivePrimaries, initializing } = parseRedIndices(byIndex.body);
  if (inactivePrimaries === null || initializing.length > mostIndicesLookedInto) return null;
  const starting = new Map<string, number>();
  for (const names of pathChunks(initializing)) {
    const byShard = await orUnknown(
      ask(
        `/_cluster/health/${names}?level=shards&${masterTimeout(collection.settings)}&filter_path=indices.*.shards.*.primary_active,indices.*.shards.*.initializing_shards`,
      ),
    );
    const counts = byShard?.status === 200 ? initializingPrimaries(byShard.body) : null;
    if (counts === null) return null;
    // By name: what is asked for by a wildcard may be answered more than once, and with others.
    for (const [name, count] of counts) starting.set(name, count);
  }
  const unassigned = initializing.reduce((left, name) => left - (starting.get(name) ?? 0), inactivePrimaries);
  // The calls see the cluster one after the other, while it recovers.
  return Math.max(0, unassigned);
}
