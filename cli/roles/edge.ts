import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createBatchLog } from '../../http-edge/agent/batch-log.js';
import { createBatchReader } from '../../http-edge/agent/batch-reader.js';
import { startBatchView } from '../../http-edge/agent/batch-view.js';
import { agentDatasets, agentTopics } from '../../http-edge/agent/datasets.js';
import { startAgentReports } from '../../http-edge/agents/agent-reports.js';
import { edgeConfig } from '../../http-edge/config.js';
import { startEdge } from '../../http-edge/edge.js';
import { createEventLog } from '../../http-edge/events/event-log.js';
import { followReplays } from '../../http-edge/replays/followed-replays.js';
import { countedDeadLetters } from '../../http-edge/dead-letters/counted-dead-letters.js';
import { startForgettingKeys } from '../../http-edge/events/forget-keys.js';
import { startAccessKeys } from '../../http-edge/keys/access-keys.js';
import { startKeyUses } from '../../http-edge/keys/key-uses.js';
import { tableRetention } from '../../http-edge/settings/stored-retention.js';
import { oidcConfig } from '../../http-edge/dashboard/oidc/config.js';
import { oidcSignIn } from '../../http-edge/dashboard/oidc/oidc-sign-in.js';
import { startSessionsView } from '../../http-edge/dashboard/sessions-view.js';
import { impatient } from '../../http-edge/clusters/read/store.js';
import { storedClusters } from '../../http-edge/clusters/read/stored-clusters.js';
import { createRequestLog } from '../../http-edge/request-log.js';
import { storedResults } from '../../http-edge/results/stored-results.js';
import { storedEvents } from '../../http-edge/events/stored-events.js';
import { storedApplications } from '../../http-edge/applications/stored-applications.js';
import { storedTraces } from '../../http-edge/traces/stored-traces.js';
import { startScorersView } from '../../http-edge/scorers/scorers-view.js';
import { shardingConfig } from '../../http-edge/status-view/sharded/config.js';
import { statusViewConfig, type KnownTask } from '../../http-edge/status-view/status-view.js';
import { operationsConfig, readConfig } from '../../runtime/config.js';
import { clickhouseConfig, clickhouseReaderConfig } from '../../runtime/clickhouse/config.js';
import { appendConfig, kafkaConfig } from '../../runtime/kafka/client/config.js';
import { connectClickHouse, readerOptions } from '../../runtime/clickhouse/client.js';
import { openBatchingAppender } from '../../runtime/kafka/produce/batching-appender.js';
import { openGroupLagReader } from '../../runtime/kafka/consume/group-lag-reader.js';
import { readTopicRetention } from '../../runtime/kafka/client/topic-retention.js';
import { kafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { requireKafka, watchKafka } from '../../runtime/kafka/client/kafka-watch.js';
import { createIdempotentAppender } from '../../runtime/kafka/transactions/idempotent-appender.js';
import { startReplies } from '../../runtime/kafka/consume/replies.js';
import { openCodecs, schemaIdsOf } from '../../runtime/registry/codec-book.js';
import { connectRegistry } from '../../runtime/registry/registry.js';
import type { IngestBatch } from '../../schemas/generated/ingest-batch.js';
import { apiKeys, keyUses } from '../../topics/access.js';
import { agentReports } from '../../topics/agents.js';
import { dashboardSessions } from '../../topics/dashboard.js';
import { deadLetterDecisions } from '../../topics/dead-letters.js';
import { replays } from '../../topics/replays.js';
import { wanted } from '../commands/topics.js';
import { operatorName } from '../operator.js';
import { replayWrites } from '../replays/session.js';
import { ingestBatches, ingestEvents } from '../../topics/ingest.js';
import { scoringReplies, scoringRequests, scoringScorers, taskStatus } from '../../topics/scoring.js';
import { startOpsServer } from '../../runtime/ops-server.js';
import { consumedTopics } from '../pipeline.js';
import { createFinder } from '../find/finder.js';
import { startLagGauges } from '../lag/lag-gauges.js';
import { createLagReader } from '../lag/lag-reader.js';
import type { RoleContext } from '../role.js';
import { edgeStateConfig } from './config.js';
import { startTaskStatuses } from './task-statuses.js';

const hourMs = 3_600_000;

/** The HTTP edge as a process: views of the compacted topics, replies, appends, and the listener in front of them. */
export async function startEdgeRole(context: RoleContext): Promise<void> {
  const { logger, metrics, health, lifecycle, environment } = context;
  const config = readConfig(edgeConfig, environment);
  const kafkaSettings = readConfig(kafkaConfig, environment);
  const appendSettings = readConfig(appendConfig, environment);
  const oidc = readConfig(oidcConfig, environment);
  const viewSettings = readConfig(statusViewConfig, environment);
  const sharding = readConfig(shardingConfig, environment);
  const state = readConfig(edgeStateConfig, environment).TELLTALE_STATE;
  const operations = readConfig(operationsConfig, environment);
  // Unlike any other edge's, past or present: a late reply to a predecessor is nobody's.
  const instance = `edge-${randomUUID()}`;

  const access = kafkaAccess(kafkaSettings, instance, logger);
  await requireKafka(access);
  const registry = connectRegistry(kafkaSettings, { logger });
  const topics = [
    ...[scoringRequests, scoringReplies, taskStatus, scoringScorers, apiKeys, ingestBatches],
    keyUses,
    dashboardSessions,
    agentReports,
    deadLetterDecisions,
    replays,
    ...agentTopics,
  ];
  lifecycle.register(watchKafka({ kafka: access, topics, health }));
  const codecs = await openCodecs(topics, registry);

  const appender = await openBatchingAppender({ ...access, metrics, config: appendSettings });
  lifecycle.register({ name: 'appender', stop: () => appender.stop() });

  const accessKeys = startAccessKeys({
    topic: apiKeys,
    codec: codecs.of(apiKeys),
    appender,
    kafka: access,
    condition: health.condition('API keys'),
    metrics,
  });
  lifecycle.register({ name: 'API keys', stop: () => accessKeys.stop() });

  const uses = startKeyUses({
    topic: keyUses,
    codec: codecs.of(keyUses),
    appender,
    kafka: access,
    condition: health.condition('uses of API keys'),
    metrics,
  });
  lifecycle.register({ name: 'uses of API keys', stop: () => uses.stop() });

  const sessions = startSessionsView({
    topic: dashboardSessions,
    codec: codecs.of(dashboardSessions),
    appender,
    kafka: access,
    condition: health.condition('dashboard sessions'),
    metrics,
  });
  lifecycle.register({ name: 'dashboard sessions', stop: () => sessions.stop() });

  const reports = startAgentReports({
    topic: agentReports,
    codec: codecs.of(agentReports),
    appender,
    kafka: access,
    condition: health.condition('reports of agents'),
    metrics,
  });
  lifecycle.register({ name: 'reports of agents', stop: () => reports.stop() });

  const taskStatusView = await startTaskStatuses(context, {
    ...{ state, sharding, edge: config, kafkaSettings, kafka: access },
    retentionMs: viewSettings.STATUS_RETENTION_HOURS * hourMs,
    codec: codecs.of(taskStatus),
  });
  lifecycle.register({ name: 'task statuses', stop: () => taskStatusView.stop() });

  const scorers = startScorersView({
    topic: scoringScorers,
    codec: codecs.of(scoringScorers),
    kafka: access,
    condition: health.condition('scorers'),
    metrics,
  });
  lifecycle.register({ name: 'scorers', stop: () => scorers.stop() });

  const replayed = followReplays({
    topic: replays,
    codec: codecs.of(replays),
    kafka: access,
    writes: replayWrites,
    operator: operatorName(),
    condition: health.condition('replays'),
    metrics,
  });
  lifecycle.register({ name: 'replays', stop: () => replayed.stop() });

  const once = createIdempotentAppender<KnownTask>({
    kafka: access,
    name: 'telltale-once',
    writes: [taskStatus.name, scoringRequests.name],
    lookup: async (id) => (await taskStatusView.lookup([id]))[0],
    timeoutMs: appendSettings.APPEND_TIMEOUT_MS,
    logger,
    metrics,
  });
  lifecycle.register({ name: 'idempotent appends', stop: () => once.stop() });

  const batchView = startBatchView({
    folder: join(state, 'batches'),
    topic: ingestBatches,
    codec: codecs.of(ingestBatches),
    kafka: access,
    condition: health.condition('batches of agents'),
    metrics,
  });
  lifecycle.register({ name: 'batches of agents', stop: () => batchView.stop() });

  const forgetting = startForgettingKeys(batchView, appender, logger);
  lifecycle.register({ name: 'old Idempotency-Keys', stop: () => forgetting.stop() });

  const appendOnce = (name: string, topics: readonly { readonly name: string }[]) => {
    const appends = createIdempotentAppender<IngestBatch>({
      kafka: access,
      name,
      writes: [ingestBatches, ...topics].map((topic) => topic.name),
      lookup: (key) => batchView.last(key),
      timeoutMs: appendSettings.APPEND_TIMEOUT_MS,
      logger,
      metrics,
    });
    lifecycle.register({ name: `appends of ${name}`, stop: () => appends.stop() });
    return appends;
  };
  const onceBatches = appendOnce('telltale-batches', agentTopics);
  // Keys of applications are many and come to every edge: with ids of their own they fence no agent's batch.
  const onceEvents = appendOnce('telltale-event-keys', [ingestEvents]);

  const realtimeReplies = startReplies({
    topic: scoringReplies,
    codec: codecs.of(scoringReplies),
    kafka: access,
    instance,
    condition: health.condition('replies'),
    metrics,
  });
  lifecycle.register({ name: 'replies', stop: () => realtimeReplies.stop() });

  const requestLog = createRequestLog({
    appender,
    once,
    requestCodec: codecs.of(scoringRequests),
    statusCodec: codecs.of(taskStatus),
    clock: Date.now,
  });
  const storage = readConfig(clickhouseConfig.extend(clickhouseReaderConfig.shape), environment);
  const store = connectClickHouse(readerOptions(storage, logger));
  lifecycle.register({ name: 'ClickHouse', stop: () => store.close() });
  const reads = impatient(store, storage.CLICKHOUSE_URL);
  const groups = openGroupLagReader(access);
  lifecycle.register({ name: 'groups', stop: () => groups.stop() });
  const lag = createLagReader(groups, reads);
  lifecycle.register(startLagGauges({ reader: lag, metrics, logger }));
  const schemaIds = await schemaIdsOf(agentTopics, registry);
  const batchReader = createBatchReader({ schemaIds, logger, metrics });
  lifecycle.register({ name: 'batch reader', stop: () => batchReader.stop() });
  const batchLog = createBatchLog({ once: onceBatches, codec: codecs.of(ingestBatches) });
  const edge = await startEdge({
    ports: {
      requestLog,
      taskStatusView,
      realtimeReplies,
      accessKeys,
      keyUses: uses,
      sessions,
      signIn: oidcSignIn(oidc),
      scorers,
      eventLog: createEventLog({
        appender,
        codec: codecs.of(ingestEvents),
        once: onceEvents,
        batchCodec: codecs.of(ingestBatches),
      }),
      agentDatasets: agentDatasets(codecs),
      batchReader,
      batchLog,
      agentReports: reports,
      clusters: storedClusters(reads, Date.now),
      results: storedResults(reads),
      deadLetters: countedDeadLetters({
        sources: consumedTopics,
        kafka: access,
        codec: codecs.of(deadLetterDecisions),
      }),
      replays: replayed,
      pipeline: lag,
      storedEvents: storedEvents(reads),
      applications: storedApplications(reads),
      traces: storedTraces(reads),
      retention: {
        topics: () =>
          readTopicRetention(
            access,
            wanted().map(({ name }) => name),
          ),
        tables: () => tableRetention(reads),
      },
      finder: createFinder({ access, groups, registry, clickhouse: reads }),
    },
    config,
    metricsToken: operations.METRICS_TOKEN,
    // Kafka knows this edge by the name: it is its client id, and the key of its replies.
    logger: logger.child({ instance }),
    metrics,
    health,
  });
  lifecycle.register({ name: 'listener', stop: () => edge.stop() });
  const { EDGE_METRICS_PORT: port, EDGE_METRICS_HOST: host } = config;
  if (port === undefined) return;
  const portVariable = 'EDGE_METRICS_PORT';
  const listener = { host, port, portVariable, access: operations };
  lifecycle.register(await startOpsServer({ ...listener, health, metrics, logger }));
}
