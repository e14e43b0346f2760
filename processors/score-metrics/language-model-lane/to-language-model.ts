import {
  type IncomingRecord,
  emit,
  record,
  type StepContext,
  type StepOutcome,
} from '../../../runtime/processor.js';
import type { ScoringRequest } from '../../../schemas/generated/scoring-request.js';
import type { RequestedMetric } from '../../../schemas/metrics.js';
import type { Topic } from '../../../topics/topic.js';
import { needsOf } from '../metrics/language-model/needs.js';

type Step = (
  requests: readonly IncomingRecord<ScoringRequest>[],
  context: StepContext,
) => Promise<readonly StepOutcome[]>;

/**
 * The step of an ordinary lane if a language model is configured. A request that needs the model is passed on
 * unchanged to the model's lane, in the same transaction. The other requests do not wait for it.
 */
export function toLanguageModel(
  step: Step,
  lane: Topic<ScoringRequest>,
  keyOf: (request: ScoringRequest) => string,
): Step {
  return async (requests, context) => {
    const own = requests.filter((request) => !needsLanguageModel(request));
    const outcomes = own.length === 0 ? [] : await step(own, context);
    const ofOwn = new Map(own.map((request, at) => [request, outcomes[at]]));
    return requests.map(
      (request) => ofOwn.get(request) ?? emit(record(lane, keyOf(request.value), request.value)),
    );
  };
}

/** Whether its result lacks something that only a language model can find. */
export function needsLanguageModel({ value }: IncomingRecord<ScoringRequest>): boolean {
  return needsOf(value.metric as RequestedMetric, value.response).length > 0;
}
