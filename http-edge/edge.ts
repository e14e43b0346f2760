import type { IncomingMessage } from 'node:http';
import { systemClock, type Clock } from '../runtime/clock.js';
import type { Health } from '../runtime/health.js';
import type { Logger } from '../runtime/logging.js';
import type { Metrics } from '../runtime/metrics.js';
import { agentRoutes } from './agent-batches/take-batch.js';
import { agentReportRoute, agentsRoute } from './agent-reports/agent-routes.js';
import { clusterRoutes } from './clusters/cluster-routes.js';
import type { EdgeConfig } from './config.js';
import { hotThreadsAnswerRoute } from './hot-threads/answer-route.js';
import { hotThreadsRoutes } from './hot-threads/hot-threads-routes.js';
import { taskBatchRoute } from './scoring/batch/accept-batch.js';
import { eventRoutes } from './events/event-routes.js';
import { combinedCallRoute, metricRoutes } from './scoring/metric-routes.js';
import { taskStatusRoute } from './scoring/read-status.js';
import { timeOrderedId } from './scoring/task-id.js';
import { Admission, type Gate } from './http/admission.js';
import { Authentication } from './http/authentication.js';
import { createColdApp } from './http/cold-app.js';
import { createDispatcher } from './http/dispatcher.js';
import { FairRoom } from '../runtime/http/fair-room.js';
import { WorkSlots } from '../runtime/http/work-slots.js';
import type { ServerCertificate } from '../runtime/http/listening-server.js';
import { createPathIndex } from '../runtime/http/path-index.js';
import { createHttpMetrics } from '../runtime/http/http-metrics.js';
import { checkMetricsReader } from './http/metrics-reader.js';
import { ReadTurns } from './http/read-turns.js';
import { RateLimit } from './http/rate-limit.js';
import { startServer, type RunningServer, type ServerConfig } from '../runtime/http/server.js';
import { keyRoutes } from './keys/key-routes.js';
import { operationRoutes } from '../runtime/http/operations.js';
import type { Route } from '../runtime/http/route.js';
import { deadLetterRoutes } from './dead-letters/dead-letter-routes.js';
import { peopleRoutes } from './dashboard/people-routes.js';
import { SessionBook } from './dashboard/session-book.js';
import { dashboardRoutes } from './dashboard/dashboard-routes.js';
import { dashboardRoute } from './dashboard/site-routes.js';
import { readSite } from './dashboard/site.js';
import { pageRoutes } from './pages/pages.js';
import type { EdgePorts } from './ports.js';
import { findRoute } from './find/find-route.js';
import { pipelineRoute } from './pipeline/pipeline-route.js';
import { newestRoute } from './newest/newest-route.js';
import { replayRoutes } from './replays/replay-routes.js';
import { resultRoutes } from './results/result-routes.js';
import { settingsRoute } from './settings/settings-route.js';
import { scorersRoute } from './scorers/scorers-route.js';
import { eventReadRoutes } from './events/event-read-routes.js';
import { applicationRoutes } from './applications/application-routes.js';
import { traceRoutes } from './traces/trace-routes.js';
import { allRoutes, type EdgeRoutes } from './routes.js';

export interface EdgeOptions {
  readonly ports: EdgePorts;
  readonly config: EdgeConfig;
  /** The token that `/metrics` requires. If it is empty, only programs on this machine may read them. */
  readonly metricsToken?: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly clock?: Clock;
  /** A new UUID. */
  readonly newId?: () => string;
}

/** How long a request waits for a slot while all of them are in use. */
const slotPatienceMs = 1_000;

/** Each find reads a range of many topics. */
const findsAtOnce = 4;

export function edgeRoutes({
  ports,
  config,
  metrics,
  metricsToken = '',
  logger,
  health,
  clock: microseconds = systemClock,
  newId = timeOrderedId,
}: EdgeOptions): EdgeRoutes {
  const clock = (): number => microseconds() / 1_000;
  const authentication = new Authentication(ports.accessKeys, clock, ports.keyUses);
  const admission = new Admission(
    authentication,
    rateLimitOf(config, clock),
    ports.requestLog,
    new WorkSlots({ count: config.EDGE_REQUESTS_IN_FLIGHT, patienceMs: slotPatienceMs }),
  );
  const bodyLimit = config.EDGE_BODY_LIMIT_BYTES;
  const textLimit = config.EDGE_TEXT_LIMIT_CHARACTERS;
  const deadlineMs = config.EDGE_REALTIME_DEADLINE_SECONDS * 1_000;
  const hot = { ports, admission, bodyLimit, textLimit, deadlineMs, clock, newId };
  const agent = {
    datasets: ports.agentDatasets,
    reader: ports.batchReader,
    batches: ports.batchLog,
    admission,
    bodyLimit: config.EDGE_AGENT_BODY_LIMIT_BYTES,
    clock,
  };
  const book = new SessionBook({
    ...{ sessions: ports.sessions, accessKeys: ports.accessKeys, authentication, clock },
    idleMs: config.EDGE_SESSION_IDLE_MINUTES * 60_000,
    lastsMs: config.EDGE_SESSION_HOURS * 3_600_000,
  });
  const api = readApi(ports, { config, book, clock });
  const site = readSite();
  const checkReader = (request: IncomingMessage): void => checkMetricsReader(request, metricsToken);
  const hasMetrics = config.EDGE_METRICS_PORT === undefined;
  return {
    hot: [
      taskStatusRoute(hot),
      ...metricRoutes(hot),
      taskBatchRoute({ ...hot, batchLimit: config.EDGE_BATCH_LIMIT_BYTES }),
      ...eventRoutes({ events: ports.eventLog, admission, bodyLimit, clock }),
      ...agentRoutes(agent),
      agentReportRoute({ reports: ports.agentReports, hotThreads: ports.hotThreads, admission, clock }),
      hotThreadsAnswerRoute({ hotThreads: ports.hotThreads, admission, clock }),
    ],
    cold: [
      ...operationRoutes({ health, metrics, checkReader }).filter(
        ({ pattern }) => hasMetrics || pattern !== '/metrics',
      ),
      ...pageRoutes({ textLimit }),
      dashboardRoute(site),
      ...api(admission),
    ],
    dashboard: dashboardRoutes({
      ...{ signIn: ports.signIn, book, admission, site, logger, clock },
      trustedProxies: config.EDGE_TRUSTED_PROXIES,
      api: (gate) => [...api(gate), combinedCallRoute({ ...hot, admission: gate })],
    }),
  };
}

interface ReadApi {
  readonly config: EdgeConfig;
  readonly book: SessionBook;
  readonly clock: () => number;
}

/**
 * The API that is mostly read and seldom changes anything. API keys and dashboard sessions each reach it
 * through their own gate.
 */
function readApi(ports: EdgePorts, { config, book, clock }: ReadApi): (gate: Gate) => readonly Route[] {
  const bodyLimit = config.EDGE_BODY_LIMIT_BYTES;
  const finds = new ReadTurns(findsAtOnce);
  return (gate) => [
    ...clusterRoutes({ clusters: ports.clusters, admission: gate, clock }),
    ...hotThreadsRoutes({
      ...{ hotThreads: ports.hotThreads, reports: ports.agentReports, clusters: ports.clusters },
      admission: gate,
      clock,
    }),
    ...resultRoutes({ results: ports.results, admission: gate, clock }),
    ...eventReadRoutes({ events: ports.storedEvents, admission: gate, clock }),
    ...applicationRoutes({ applications: ports.applications, admission: gate, clock }),
    ...traceRoutes({ traces: ports.traces, admission: gate, clock }),
    agentsRoute({ reports: ports.agentReports, admission: gate, clock }),
    scorersRoute({ scorers: ports.scorers, admission: gate }),
    ...deadLetterRoutes({ deadLetters: ports.deadLetters, admission: gate, bodyLimit }),
    ...replayRoutes({ replays: ports.replays, admission: gate, bodyLimit }),
    findRoute({ finder: ports.finder, turns: finds, admission: gate }),
    pipelineRoute({ pipeline: ports.pipeline, admission: gate }),
    newestRoute({ newest: ports.newest, admission: gate }),
    ...keyRoutes({
      ...{ accessKeys: ports.accessKeys, uses: ports.keyUses },
      admission: gate,
      bodyLimit,
      clock,
    }),
    ...peopleRoutes({ book, admission: gate }),
    settingsRoute({ retention: ports.retention, config, admission: gate }),
  ];
}

/** Starts the HTTP edge. Resolves once it listens; throws PORT_BUSY if the port is taken. */
export async function startEdge(options: EdgeOptions): Promise<RunningServer> {
  const { config, logger } = options;
  const httpMetrics = createHttpMetrics(options.metrics);
  const routes = edgeRoutes(options);
  const host = {
    logger,
    httpMetrics,
    bodyLimit: config.EDGE_BODY_LIMIT_BYTES,
    room: new FairRoom(() => roomOf(config)),
    draining: false,
  };
  const known = createPathIndex(allRoutes(routes));
  const cold = createColdApp([...routes.cold, ...routes.dashboard], known);
  const dispatch = createDispatcher({ host, known, hot: routes.hot, cold });
  return startServer({ config: serverConfigOf(config), host, dispatch, logger });
}

/**
 * The largest body must fit into half of the room, together with its compressed form or with what it is
 * turned into. Otherwise it would never be admitted.
 */
function roomOf(config: EdgeConfig): number {
  const { EDGE_BUFFER_BYTES, EDGE_BODY_LIMIT_BYTES, EDGE_BATCH_LIMIT_BYTES, EDGE_AGENT_BODY_LIMIT_BYTES } =
    config;
  const largest = Math.max(EDGE_BODY_LIMIT_BYTES, EDGE_BATCH_LIMIT_BYTES, EDGE_AGENT_BODY_LIMIT_BYTES);
  return Math.max(EDGE_BUFFER_BYTES, 4 * largest);
}

function serverConfigOf(config: EdgeConfig): ServerConfig {
  return {
    what: 'edge',
    host: config.EDGE_HOST,
    port: config.EDGE_PORT,
    portVariable: 'EDGE_PORT',
    certificate: certificateOf(config),
    headersTimeoutMs: config.EDGE_HEADERS_TIMEOUT_MS,
    requestTimeoutMs: config.EDGE_REQUEST_TIMEOUT_MS,
    keepAliveMs: config.EDGE_KEEP_ALIVE_MS,
    maxHeaderBytes: config.EDGE_MAX_HEADER_BYTES,
    maxConnections: config.EDGE_MAX_CONNECTIONS,
    drainTimeoutMs: config.EDGE_DRAIN_TIMEOUT_MS,
  };
}

/** The certificate that the edge presents to clients and to other edges. */
export function certificateOf(config: EdgeConfig): ServerCertificate {
  return {
    certificate: config.EDGE_TLS_CERTIFICATE_FILE,
    key: config.EDGE_TLS_KEY_FILE,
    variables: ['EDGE_TLS_CERTIFICATE_FILE', 'EDGE_TLS_KEY_FILE'],
  };
}

function rateLimitOf(config: EdgeConfig, clock: () => number): RateLimit | undefined {
  const { EDGE_RATE_LIMIT_PER_SECOND: perSecond, EDGE_RATE_LIMIT_BURST: burst } = config;
  return perSecond > 0 ? new RateLimit({ perSecond, burst, clock }) : undefined;
}
