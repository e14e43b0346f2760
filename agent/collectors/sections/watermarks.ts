import { masterTimeout } from '../../integration/client/waits.js';
import { CallFailure } from '../call-failure.js';
import { absencesOf } from '../parse/absences.js';
import { parseWatermarks, unreadWatermarks } from '../parse/watermarks.js';
import type { Section } from '../section.js';

/** Nested settings: with flat ones 7.10 answers `{}` to a filter this deep. */
const path = '/_cluster/settings?include_defaults=true&filter_path=*.cluster.routing.allocation.disk';

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
  async collect({ read, settings, cluster }) {
    try {
      const answer = await read(`${path}&${masterTimeout(settings)}`);
      const body = parseWatermarks(answer, cluster.major);
      const absences = absencesOf(body, natural, {}, cluster.version);
      return { body, partial: false, unavailable: [...unreadWatermarks(answer), ...absences] };
    } catch (thrown) {
      if (!(thrown instanceof CallFailure && thrown.kind === 'forbidden')) throw thrown;
      const reason = `the settings may not be read (${thrown.reason}): Elasticsearch's defaults are assumed`;
      const body = parseWatermarks(undefined, cluster.major);
      return { body, partial: false, unavailable: [{ field: '*', code: 'forbidden', reason }] };
    }
  },
};
