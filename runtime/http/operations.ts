import type { Health } from '../health.js';
import type { Metrics } from '../metrics.js';
import type { HttpMetrics } from './http-metrics.js';
import type { Route } from './route.js';

export interface OperationDependencies {
  readonly health: Health;
  readonly metrics: Metrics;
  readonly httpMetrics: HttpMetrics;
}

/** What operators and orchestrators ask: none of it needs a key, and none of it says anything of a workspace. */
export function operationRoutes({ health, metrics, httpMetrics }: OperationDependencies): readonly Route[] {
  return [
    { method: 'GET', pattern: '/livez', handle: (exchange) => exchange.json(200, '{"status":"alive"}') },
    {
      method: 'GET',
      pattern: '/readyz',
      handle(exchange) {
        const { ready, waitingFor } = health.readiness();
        const body = JSON.stringify({ status: ready ? 'ready' : 'not ready', waiting_for: waitingFor });
        exchange.json(ready ? 200 : 503, body, ready ? [] : ['retry-after', '1']);
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
