import {
  acceptedMessage,
  combined,
  metricDeclarations,
  type MetricDeclaration,
  type RequestedMetric,
} from '../../schemas/metrics.js';
import { metricsPath } from '../routes.js';

/** What the two endpoints of one metric (or of all) share. */
export interface MetricEndpoint {
  readonly metric: RequestedMetric;
  readonly response: MetricDeclaration['response'];
  readonly acceptedMessage: string;
  readonly path: string;
  readonly taskPath: string;
}

const endpoint = (
  metric: RequestedMetric,
  path: string,
  response: MetricDeclaration['response'],
): MetricEndpoint => ({
  metric,
  response,
  path,
  taskPath: `${path}/task`,
  acceptedMessage: acceptedMessage(metric),
});

export const combinedEndpoint = endpoint(combined, metricsPath, 'optional');

/** The endpoints of the combined call and of each metric. */
export const metricEndpoints: readonly MetricEndpoint[] = [
  combinedEndpoint,
  ...metricDeclarations.map(({ key, path, response }) => endpoint(key, `${metricsPath}/${path}`, response)),
];
