import { masterTimeout } from '../../integration/client/waits.js';
import { failureOf } from '../call-failure.js';
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

/** The configured disk watermarks; if they may not be read, Elasticsearch's defaults, marked as assumed. */
export const watermarksCollector: Section<'watermarks'> = {
  name: 'watermarks',
  intervalSeconds: ({ metadataIntervalSeconds }) => metadataIntervalSeconds,
  enabled: ({ enabled }) => enabled,
  privilege: 'cluster: monitor',
  async collect({ ask, settings, cluster }) {
    const answer = await ask(`${path}&${masterTimeout(settings)}`);
    const failure = failureOf(answer);
    if (failure === undefined) {
      const body = parseWatermarks(answer.body, cluster.major);
      const absences = absencesOf(body, natural, {}, cluster.version);
      return { body, partial: false, unavailable: [...unreadWatermarks(answer.body), ...absences] };
    }
    // This includes a proxy that forbids the call, which is no reason to stop evaluating disks permanently.
    if (answer.status !== 403) throw failure;
    const reason = `the settings could not be read (${failure.reason}): Elasticsearch's defaults are assumed`;
    const body = parseWatermarks(undefined, cluster.major);
    return { body, partial: false, unavailable: [{ field: '*', code: 'forbidden', reason }] };
  },
};
