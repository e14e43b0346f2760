import {
  type IncomingRecord,
  emit,
  record,
  type StepContext,
  type StepOutcome,
} from '../../../runtime/processor.js';
import type { ScoringRequest } from '../../../schemas/generated/scoring-request.js';
import type { Topic } from '../../../topics/topic.js';

type Request = IncomingRecord<ScoringRequest>;
type Step = (requests: readonly Request[], context: StepContext) => Promise<readonly StepOutcome[]>;

/**
 * The step of a lane in which requests must not be delayed. A request that the lane does not keep is passed
 * on unchanged to the overflow, in the same transaction.
 */
export function toOverflow(
  step: Step,
  overflow: Topic<ScoringRequest>,
  keeps: (request: ScoringRequest) => boolean,
): Step {
  return async (requests, context) => {
    const own = requests.filter(({ value }) => keeps(value));
    const outcomes = own.length === 0 ? [] : await step(own, context);
    const ofOwn = new Map(own.map((request, at) => [request, outcomes[at]]));
    return requests.map(
      (request) => ofOwn.get(request) ?? emit(record(overflow, workspaceKey(request.value), request.value)),
    );
  };
}

/**
 * The key of a topic whose partitions take turns. A workspace has two partitions, however many requests it
 * sends. One would limit a workspace to one process; more would leave fewer to others.
 */
export function workspaceKey({ workspace, id }: Pick<ScoringRequest, 'workspace' | 'id'>): string {
  return `${workspace}/${id.charCodeAt(id.length - 1) % 2}`;
}
