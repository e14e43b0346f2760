import type { Route } from '../../runtime/http/route.js';
import type { Gate } from '../http/admission.js';
import { orUnavailable } from '../http/stored-read.js';
import { pipelinePath } from '../routes.js';
import type { PipelineReader } from './pipeline-reader.js';

export interface PipelineRouteDependencies {
  readonly pipeline: PipelineReader;
  readonly admission: Gate;
}

const away = 'No Kafka broker answers, so the lag is unknown.';

/**
 * `GET /api/v1/pipeline`: how far each stage is behind, for a key with the scope `read`. It contains no data of any
 * workspace.
 */
export function pipelineRoute({ pipeline, admission }: PipelineRouteDependencies): Route {
  return {
    method: 'GET',
    pattern: pipelinePath,
    async handle(exchange) {
      const { headers } = admission.admit(exchange, ['read']);
      exchange.json(200, JSON.stringify(await orUnavailable(away, () => pipeline.read())), headers);
    },
  };
}
