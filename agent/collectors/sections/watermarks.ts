import { CallFailure } from '../call-failure.js';
import { absencesOf } from '../parse/absences.js';
import { parseWatermarks } from '../parse/watermarks.js';
import type { Section } from '../section.js';

/** Nested settings: with flat ones 7.10 answers `{}` to a filter this deep. */
const settings =
  '/_cluster/settings?include_defaults=true&master_timeout=5s&filter_path=*.cluster.routing.allocation.disk';

const natural = [
  ...['low', 'high', 'flood_stage', 'flood_stage_frozen'].flatMap((mark) => [
    `${mark}.used_ratio`,
    `${mark}.free_bytes`,
    `${mark}_max_headroom_bytes`,
  ]),
  'enable_for_single_data_node',
];

/** The disk watermarks as configured; Elasticsearch's defaults, marked as assumed, where they may not be read. */
export const watermarksCollector: Section<'watermarks'> = {
  name: 'watermarks',
  intervalSeconds: ({ metadataIntervalSeconds }) => metadataIntervalSeconds,
  enabled: ({ enabled }) => enabled,
  privilege: 'cluster: monitor',
  async collect({ read, cluster }) {
    try {
      const body = parseWatermarks(await read(settings), cluster.major);
      return { body, partial: false, unavailable: absencesOf(body, natural, {}, cluster.version) };
    } catch (thrown) {
      if (!(thrown instanceof CallFailure && thrown.kind === 'forbidden')) throw thrown;
      const reason = `the settings may not be read (${thrown.reason}): Elasticsearch's defaults are assumed`;
      const body = parseWatermarks(undefined, cluster.major);
      return { body, partial: false, unavailable: [{ field: '*', code: 'forbidden', reason }] };
    }
  },
};
