import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Health } from '../../runtime/health.js';
import { FairRoom } from '../../runtime/http/fair-room.js';
import { isLoopback } from '../../runtime/http/host.js';
import { createHttpMetrics } from '../../runtime/http/http-metrics.js';
import { operationRoutes } from '../../runtime/http/operations.js';
import type { Route } from '../../runtime/http/route.js';
import { startServer, type RunningServer, type ServerConfig } from '../../runtime/http/server.js';
import type { Logger } from '../../runtime/logging.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { AgentConfig } from '../config.js';
import type { LiveConfig } from '../live-config.js';
import { createDispatcher, type Access } from './dispatcher.js';

export interface ListenerOptions {
  readonly config: LiveConfig;
  /** The routes of the components; those for operators are added. */
  readonly routes: readonly Route[];
  readonly status: () => object;
  /** The token for `/metrics`; empty: the agent's token. */
  readonly metricsToken?: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
}

/** The agent's port. Rejects with PORT_BUSY. */
export function startListener(options: ListenerOptions): Promise<RunningServer> {
  const { config, logger, metrics, metricsToken = '', health } = options;
  const httpMetrics = createHttpMetrics(metrics);
  const settings = config.current();
  warnIfOpen(settings, logger);
  const room = new FairRoom(() => roomOf(config.current()));
  const host = { logger, httpMetrics, bodyLimit: settings.AGENT_BODY_LIMIT_BYTES, room, draining: false };
  const routes = [
    ...operationRoutes({ health, metrics, checkReader: () => undefined }),
    documentRoute(),
    statusRoute(options.status),
    ...options.routes,
  ];
  const access = (): Access => ({ ...accessOf(config.current()), metricsToken });
  const dispatch = createDispatcher({ host, routes, access });
  return startServer({ config: serverConfigOf(settings), host, dispatch, logger });
}

/** No page of the internet can have this name: browsers only reach it on this machine's own network. */
const ownName = hostname().toLowerCase();

function accessOf(config: AgentConfig): Omit<Access, 'metricsToken'> {
  return {
    hosts: [config.AGENT_HOST, ownName, ...config.AGENT_ALLOWED_HOSTS],
    origins: config.AGENT_ALLOWED_ORIGINS,
    token: config.AGENT_TOKEN,
  };
}

/** The largest body must fit next to its compressed form; otherwise it would never be admitted. */
function roomOf({ AGENT_BUFFER_BYTES, AGENT_BODY_LIMIT_BYTES }: AgentConfig): number {
  return Math.max(AGENT_BUFFER_BYTES, 2 * AGENT_BODY_LIMIT_BYTES);
}

/** The API's document, with this agent as its server; `npm run generate` writes the file. */
function documentRoute(): Route {
  const path = new URL('../../schemas/openapi/agent.json', import.meta.url);
  const document = JSON.parse(readFileSync(path, 'utf8')) as object;
  const text = JSON.stringify({ ...document, servers: [{ url: '/', description: 'This agent.' }] });
  return { method: 'GET', pattern: '/openapi.json', handle: (exchange) => exchange.json(200, text) };
}

function statusRoute(status: () => object): Route {
  return {
    method: 'GET',
    pattern: '/status',
    handle: (exchange) => exchange.json(200, `${JSON.stringify(status(), undefined, 2)}\n`),
  };
}

function warnIfOpen({ AGENT_HOST, AGENT_TOKEN }: AgentConfig, logger: Logger): void {
  if (isLoopback(AGENT_HOST) || AGENT_TOKEN !== '') return;
  logger.warn(
    { event: 'agent-open-to-network', host: AGENT_HOST },
    'the agent accepts data from other machines without a token; set AGENT_TOKEN',
  );
}

function serverConfigOf(config: AgentConfig): ServerConfig {
  return {
    what: 'agent',
    host: config.AGENT_HOST,
    port: config.AGENT_PORT,
    portVariable: 'AGENT_PORT',
    certificate: {
      certificate: config.AGENT_TLS_CERTIFICATE_FILE,
      key: config.AGENT_TLS_KEY_FILE,
      variables: ['AGENT_TLS_CERTIFICATE_FILE', 'AGENT_TLS_KEY_FILE'],
    },
    headersTimeoutMs: 10_000,
    requestTimeoutMs: 30_000,
    keepAliveMs: 75_000,
    maxHeaderBytes: 16 * 1024,
    maxConnections: 2_000,
    drainTimeoutMs: config.AGENT_DRAIN_TIMEOUT_MS,
  };
}
