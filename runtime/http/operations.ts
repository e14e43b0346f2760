import type { Health } from '../health.js';
import type { Metrics } from '../metrics.js';
import type { HttpMetrics } from './http-metrics.js';
import { retryAfter } from './problem.js';
import type { Route } from './route.js';

/** What `/livez` answers, on every process. */
export const livenessBody = '{"status":"alive"}';

/** What `/readyz` answers, on every process: 200, or 503 with what it waits for. */
export function readinessAnswer(health: Health): { readonly status: 200 | 503; readonly body: string } {
  const { ready, waitingFor } = health.readiness();
  const body = JSON.stringify({ status: ready ? 'ready' : 'not ready', waiting_for: waitingFor });
  return { status: ready ? 200 : 503, body };
}

export interface OperationDependencies {
  readonly health: Health;
  readonly metrics: Metrics;
  readonly httpMetrics: HttpMetrics;
}

/** What operators and orchestrators ask: none of it needs a key, and none of it says anything of a workspace. */
export function operationRoutes({ health, metrics, httpMetrics }: OperationDependencies): readonly Route[] {
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
        httpMetrics.handOver();
        exchange.answer(200, metrics.registry.contentType, await metrics.registry.metrics());
      },
    },
  ];
}
