import { storedApplications } from '../../../http-edge/applications/stored-applications.js';
import { storedClusters } from '../../../http-edge/clusters/read/stored-clusters.js';
import { keptDeadLetters } from '../../../http-edge/dead-letters/kept-dead-letters.js';
import { askedByNobody } from '../../../http-edge/http/asker.js';
import { boundedStore } from '../../../http-edge/http/bounded-store.js';
import { storedEvents } from '../../../http-edge/events/stored-events.js';
import { storedNewest } from '../../../http-edge/newest/stored-newest.js';
import { storedResults } from '../../../http-edge/results/stored-results.js';
import { tableRetention } from '../../../http-edge/settings/retention.js';
import { storedTraces } from '../../../http-edge/traces/stored-traces.js';
import { connectClickHouse, readerOptions } from '../../../runtime/clickhouse/client.js';
import { readTopicRetention } from '../../../runtime/kafka/client/admin.js';
import { openGroupLagReader } from '../../../runtime/kafka/consume/group-lag.js';
import { deadLetterDecisions } from '../../../topics/dead-letters.js';
import { wanted } from '../../commands/topics.js';
import { createFinder } from '../../find/finder.js';
import { startLagGauges } from '../../lag/lag-gauges.js';
import { createLagReader } from '../../lag/lag-reader.js';
import { withErrors } from '../../lag/with-errors.js';
import { consumedTopics } from '../../pipeline.js';
import type { EdgeFoundation } from './foundation.js';
import type { EdgeViews } from './views.js';

/** The sources of the read API: the tables, the groups' positions, and the records of topics. */
export function openReads(
  { settings, kafka, registry, codecs, logger, metrics, lifecycle, kept }: EdgeFoundation,
  { processReports }: Pick<EdgeViews, 'processReports'>,
) {
  const store = connectClickHouse(readerOptions(settings.clickhouse, logger));
  kept('ClickHouse', { stop: () => store.close() });
  const reads = boundedStore(store, settings.clickhouse.CLICKHOUSE_URL);
  const groups = kept('groups', openGroupLagReader(kafka));
  const pipeline = createLagReader(groups, { query: (sql) => askedByNobody(() => reads.query(sql)) });
  lifecycle.register(startLagGauges({ reader: pipeline, metrics, logger }));
  const topicNames = () => wanted().map(({ name }) => name);
  return {
    clusters: storedClusters(reads, Date.now),
    results: storedResults(reads),
    newest: storedNewest(reads),
    storedEvents: storedEvents(reads),
    applications: storedApplications(reads, Date.now),
    traces: storedTraces(reads),
    deadLetters: keptDeadLetters({
      sources: consumedTopics,
      kafka,
      codec: codecs.of(deadLetterDecisions),
    }),
    pipeline: {
      read: async () => withErrors(await pipeline.read(), processReports.all(), Date.now()),
    },
    retention: {
      topics: () => readTopicRetention(kafka, topicNames()),
      tables: () => tableRetention(reads),
    },
    finder: createFinder({ access: kafka, groups, registry, clickhouse: reads }),
  };
}
