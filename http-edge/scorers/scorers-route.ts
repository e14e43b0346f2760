import { isoMicroseconds } from '../../runtime/clock.js';
import type { Route } from '../../runtime/http/route.js';
import type { Scorer } from '../../schemas/generated/scorer.js';
import { metricDeclarations, type MetricDeclaration } from '../../schemas/metrics.js';
import type { Gate } from '../http/admission.js';
import type { Scorers } from '../ports.js';
import { metricsPath, scorersPath } from '../routes.js';

export interface ScorersRouteDependencies {
  readonly scorers: Scorers;
  readonly admission: Gate;
}

/** `GET …/scorers`: the metrics of this installation, as its processors report them. */
export function scorersRoute({ scorers, admission }: ScorersRouteDependencies): Route {
  return {
    method: 'GET',
    pattern: scorersPath,
    handle(exchange) {
      const { headers } = admission.admit(exchange, ['metrics', 'read']);
      const listed = metricDeclarations.map((metric) => viewOf(metric, scorers.find(metric.key)));
      exchange.json(200, JSON.stringify({ scorers: listed }), headers);
    },
  };
}

const unknown: Omit<Scorer, 'metric' | 'version' | 'reported_at'> = {
  models: [],
  languages: [],
  thresholds: {},
  needs: [],
  available: false,
  unavailable: 'No processor has reported yet that it computes this metric.',
};

function viewOf({ key, title, path }: MetricDeclaration, scorer: Scorer | undefined): object {
  const { models, languages, thresholds, needs, available, unavailable } = scorer ?? unknown;
  return {
    metric: key,
    title,
    path: `${metricsPath}/${path}`,
    version: scorer?.version ?? null,
    models,
    languages,
    thresholds,
    needs,
    available,
    unavailable,
    reported_at: scorer === undefined ? null : isoMicroseconds(scorer.reported_at),
  };
}
