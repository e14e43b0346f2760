import type { IncomingRecord } from '../../../runtime/kafka/records.js';
import type { StepContext, StepOutcome } from '../../../runtime/processor.js';
import type { ScoringRequest } from '../../../schemas/generated/scoring-request.js';
import { scoreStep, type ScoreStepOptions } from '../score-step.js';

/** How long the overflow works on one partition before the others have their turn. */
const turnMs = 250;
/** The first stretch is short, as it may take long; each one after it is twice as long. */
const firstStretch = 4;

/** Scores requests until the partition's turn is over: the outcomes of as many as were reached, one at least. */
export async function scoreInTurn(
  requests: readonly IncomingRecord<ScoringRequest>[],
  context: StepContext,
  options: ScoreStepOptions,
  now: () => number = performance.now.bind(performance),
): Promise<readonly StepOutcome[]> {
  const beganMs = now();
  const outcomes: StepOutcome[] = [];
  for (let stretch = firstStretch; outcomes.length < requests.length; stretch *= 2) {
    if (outcomes.length > 0 && now() - beganMs >= turnMs) break;
    const reached = requests.slice(outcomes.length, outcomes.length + stretch);
    outcomes.push(...(await scoreStep(reached, new Map(), context, { ...options, yielding: true })));
  }
  return outcomes;
}
