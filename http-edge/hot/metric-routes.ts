import type { Route } from '../../runtime/http/route.js';
import { acceptTask } from './accept-task.js';
import { answerCall } from './answer-call.js';
import type { HotDependencies } from './dependencies.js';
import { metricEndpoints } from './metric-endpoints.js';

/** The 22 metric POSTs. */
export function metricRoutes(dependencies: HotDependencies): readonly Route[] {
  return metricEndpoints.flatMap((of): Route[] => [
    { method: 'POST', pattern: of.path, handle: (exchange) => answerCall(exchange, of, dependencies) },
    { method: 'POST', pattern: of.taskPath, handle: (exchange) => acceptTask(exchange, of, dependencies) },
  ]);
}
