import type { Route } from '../../runtime/http/route.js';
import { acceptTask } from './accept-task.js';
import { answerCall } from './answer-call.js';
import type { CallDependencies, HotDependencies } from './dependencies.js';
import { combinedEndpoint, metricEndpoints } from './metric-endpoints.js';

/** The combined call alone, for callers that another gate admits. */
export const combinedCallRoute = (dependencies: CallDependencies): Route => ({
  method: 'POST',
  pattern: combinedEndpoint.path,
  handle: (exchange) => answerCall(exchange, combinedEndpoint, dependencies),
});

/** The POST routes of the metrics. */
export function metricRoutes(dependencies: HotDependencies): readonly Route[] {
  return metricEndpoints.flatMap((of): Route[] => [
    { method: 'POST', pattern: of.path, handle: (exchange) => answerCall(exchange, of, dependencies) },
    { method: 'POST', pattern: of.taskPath, handle: (exchange) => acceptTask(exchange, of, dependencies) },
  ]);
}
