import { readFileSync } from 'node:fs';
import type { Health } from '../../runtime/health.js';
import { BodyRoom } from '../../runtime/http/body-room.js';
import { createHttpMetrics } from '../../runtime/http/http-metrics.js';
import { operationRoutes } from '../../runtime/http/operations.js';
import type { Route } from '../../runtime/http/route.js';
import { startServer, type RunningServer, type ServerConfig } from '../../runtime/http/server.js';
import type { Logger } from '../../runtime/logging.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { AgentConfig } from '../config.js';
import type { LiveConfig } from '../live-config.js';
import { createDispatcher } from './dispatcher.js';
import { isLoopback } from './token.js';

export interface ListenerOptions {
  readonly config: LiveConfig;
  /** Of the parts; those for operators come on top. */
  readonly routes: readonly Route[];
  readonly status: () => object;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
}

/** The agent's port. Rejects with PORT_BUSY. */
export function startListener(options: ListenerOptions): Promise<RunningServer> {
  const { config, logger, metrics, health } = options;
  const httpMetrics = createHttpMetrics(metrics);
  const settings = config.current();
  warnIfOpen(settings, logger);
  const room = new BodyRoom(() => roomOf(config.current()));
  const host = { logger, httpMetrics, bodyLimit: settings.AGENT_BODY_LIMIT_BYTES, room, draining: false };
  const routes = [
    ...operationRoutes({ health, metrics, httpMetrics }),
    documentRoute(),
    statusRoute(options.status),
    ...options.routes,
  ];
  const dispatch = createDispatcher({ host, routes, token: () => config.current().AGENT_TOKEN });
  return startServer({ config: serverConfigOf(settings), host, dispatch, logger });
}

/** The largest body must find room beside its compressed form, or it never would. */
function roomOf({ AGENT_BUFFER_BYTES, AGENT_BODY_LIMIT_BYTES }: AgentConfig): number {
  return Math.max(AGENT_BUFFER_BYTES, 2 * AGENT_BODY_LIMIT_BYTES);
}

/** With its own address; `npm run generate` writes the file. */
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
    { host: AGENT_HOST },
    'the agent takes data from other machines and asks nobody for a token; set AGENT_TOKEN',
  );
}

function serverConfigOf(config: AgentConfig): ServerConfig {
  return {
    what: 'agent',
    host: config.AGENT_HOST,
    port: config.AGENT_PORT,
    portVariable: 'AGENT_PORT',
    headersTimeoutMs: 10_000,
    requestTimeoutMs: 30_000,
    keepAliveMs: 75_000,
    maxHeaderBytes: 16 * 1024,
    maxConnections: 2_000,
    drainTimeoutMs: config.AGENT_DRAIN_TIMEOUT_MS,
  };
}
