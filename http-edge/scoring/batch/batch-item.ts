import { combined, type RequestedMetric } from '../../../schemas/metrics.js';
import type { FieldError } from '../../../runtime/http/problem.js';
import { Problem } from '../../../runtime/http/problem.js';
import { metricEndpoints, type MetricEndpoint } from '../metric-endpoints.js';
import { isObject, textsOrErrors, type Texts } from '../metric-request.js';
import type { BatchPart } from './batch-body.js';

/** A request of a batch that can be queued. */
export interface BatchTask {
  readonly metric: RequestedMetric;
  readonly endpoint: MetricEndpoint;
  readonly texts: Texts;
}

const endpoints = new Map<unknown, MetricEndpoint>(metricEndpoints.map((of) => [of.metric, of]));
const known = metricEndpoints.map(({ metric }) => metric).join(', ');

/** The metric of requests that name none: the query parameter `metric`, or all metrics. */
export function standardMetricOf(target: string | undefined): MetricEndpoint {
  const asked = new URL(target ?? '/', 'http://edge').searchParams.get('metric') ?? combined;
  const endpoint = endpoints.get(asked);
  if (endpoint !== undefined) return endpoint;
  const detail = `The parameter \`metric\` must be one of ${known}.`;
  throw new Problem('invalid', detail, { errors: [{ pointer: '/metric', detail }] });
}

/** The request at this index of the batch, or what is wrong with it; pointers start with the index. */
export function taskOf(
  part: BatchPart,
  index: number,
  standard: MetricEndpoint,
  textLimit: number,
): BatchTask | readonly FieldError[] {
  const wrong = (pointer: string, detail: string): readonly FieldError[] => [
    { pointer: `/${index}${pointer}`, detail },
  ];
  if ('unreadable' in part) return wrong('', part.unreadable);
  const { value } = part;
  if (!isObject(value)) return wrong('', 'A request must be a JSON object with a `prompt`.');
  const named: unknown = 'metric' in value && Object.hasOwn(value, 'metric') ? value.metric : undefined;
  const endpoint = named === undefined || named === null ? standard : endpoints.get(named);
  if (endpoint === undefined) return wrong('/metric', `\`metric\` must be one of ${known}.`);
  const texts = textsOrErrors(value, endpoint.response, textLimit);
  if (!('prompt' in texts)) return texts.flatMap(({ pointer, detail }) => wrong(pointer, detail));
  return { metric: endpoint.metric, endpoint, texts };
}
