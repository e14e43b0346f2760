import { TelltaleError } from '../../runtime/errors.js';
import { Problem, retryAfter } from '../../runtime/http/problem.js';
import type { Route } from '../../runtime/http/route.js';
import type { Gate } from '../http/admission.js';
import { pipelinePath } from '../routes.js';
import type { PipelineReader } from './pipeline-reader.js';

export interface PipelineRouteDependencies {
  readonly pipeline: PipelineReader;
  readonly admission: Gate;
}

/** `GET /api/v1/pipeline`: how far each stage is behind, for a key with the scope `read`. It shows nobody's data. */
export function pipelineRoute({ pipeline, admission }: PipelineRouteDependencies): Route {
  return {
    method: 'GET',
    pattern: pipelinePath,
    async handle(exchange) {
      const { headers } = admission.admit(exchange, ['read']);
      exchange.json(200, JSON.stringify(await orUnavailable(() => pipeline.read())), headers);
    },
  };
}

async function orUnavailable<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof TelltaleError) || error.code !== 'KAFKA_UNREACHABLE') throw error;
    throw new Problem('unavailable', 'No Kafka broker answers, so that the lag of no stage can be known.', {
      headers: retryAfter(2),
    });
  }
}
