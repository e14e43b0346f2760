import type { IncomingMessage } from 'node:http';
import type { Health } from '../health.js';
import type { Metrics } from '../metrics.js';
import { retryAfter } from './problem.js';
import type { Route } from './route.js';

/** The answer of `/livez`, on every process. */
export const livenessBody = '{"status":"alive"}';

/** The detail of the 401 for a request for the metrics without the token. */
export const metricsTokenWanted =
  'The metrics require METRICS_TOKEN: send it as `Authorization: Bearer <token>`.';

/** The answer of `/readyz`, on every process: 200, or 503 with what it waits for. */
export function readinessAnswer(health: Health): { readonly status: 200 | 503; readonly body: string } {
  const { ready, waitingFor } = health.readiness();
  const body = JSON.stringify({ status: ready ? 'ready' : 'not ready', waiting_for: waitingFor });
  return { status: ready ? 200 : 503, body };
}

export interface OperationDependencies {
  readonly health: Health;
  readonly metrics: Metrics;
  /** Throws the problem of a request that may not read the metrics. */
  readonly checkReader: (request: IncomingMessage) => void;
}

/** Routes for operators and orchestrators. They need no API key, and reveal nothing about a workspace. */
export function operationRoutes({ health, metrics, checkReader }: OperationDependencies): readonly Route[] {
  return [
    { method: 'GET', pattern: '/livez', handle: (exchange) => exchange.json(200, livenessBody) },
    {
      method: 'GET',
      pattern: '/readyz',
      handle(exchange) {
        const { status, body } = readinessAnswer(health);
        exchange.json(status, body, status === 200 ? [] : retryAfter(1));
      },
    },
    {
      method: 'GET',
      pattern: '/metrics',
      async handle(exchange) {
        checkReader(exchange.request);
        exchange.answer(200, metrics.registry.contentType, await metrics.read());
      },
    },
  ];
}
