import { absencesOf } from '../parse/absences.js';
import { parseRecoveries } from '../parse/work.js';
import type { Section } from '../section.js';

const wanted = [
  'id',
  'type',
  'stage',
  'primary',
  'start_time_in_millis',
  'total_time_in_millis',
  'source',
  'target',
  'index.size',
  'index.files',
  'index.*_throttle_time_in_millis',
  'translog',
]
  .map((field) => `*.shards.${field}`)
  .join(',');

/**
 * Fields that depend on the kind of recovery: one from the local store has no source node, only one from a snapshot has
 * a repository.
 */
const natural = ['source_node_id', 'source_node', 'source_repository', 'source_snapshot'].map(
  (field) => `recoveries.*.${field}`,
);

/** Shards that are being recovered now. Finished recoveries are not read: on a large cluster they are megabytes. */
export const recoveryCollector: Section<'recovery'> = {
  name: 'recovery',
  intervalSeconds: ({ recoveryIntervalSeconds }) => recoveryIntervalSeconds,
  enabled: ({ enabled, recovery }) => enabled && recovery,
  privilege: 'indices *: monitor',
  split: { list: 'recoveries', most: () => 500 },
  async collect({ read, cluster }) {
    const body = parseRecoveries(await read(`/_recovery?active_only=true&filter_path=${wanted}`));
    return { body, partial: false, unavailable: absencesOf(body, natural, {}, cluster.version) };
  },
};
