import type { Route } from '../runtime/http/route.js';

/** Every route of the edge. The OpenAPI document describes all but those of the dashboard. */
export interface EdgeRoutes {
  /** Answered without express. */
  readonly hot: readonly Route[];
  readonly cold: readonly Route[];
  /** What the dashboard's page loads. Only its pages use these, so the document does not have them. */
  readonly dashboard: readonly Route[];
}

export const metricsPath = '/api/v1/monitoring/metrics';
export const taskStatusPattern = `${metricsPath}/task/{task_id}/status`;
export const taskBatchPath = `${metricsPath}/task/batch`;
export const scorersPath = `${metricsPath}/scorers`;
export const agentPath = '/api/v1/agent';
export const clustersPath = '/api/v1/clusters';
export const uiPath = '/ui/';
export const resultsPath = '/api/v1/results';
export const deadLettersPath = '/api/v1/dead-letters';
export const replaysPath = '/api/v1/replays';
export const findPath = '/api/v1/find';
export const pipelinePath = '/api/v1/pipeline';
export const applicationsPath = '/api/v1/applications';
export const eventsPath = '/api/v1/events';
export const tracesPath = '/api/v1/traces';
export const keysPath = '/api/v1/keys';
export const sessionsPath = '/api/v1/sessions';
export const newestPath = '/api/v1/newest';
export const settingsPath = '/api/v1/settings';

/** Where the status of a task is read. */
export function taskStatusPath(taskId: string): string {
  return `${metricsPath}/task/${taskId}/status`;
}

export function allRoutes({ hot, cold, dashboard }: EdgeRoutes): readonly Route[] {
  return [...hot, ...cold, ...dashboard];
}
