import { setTimeout as sleep } from 'node:timers/promises';
import { untilAborted } from '../../../runtime/backoff.js';
import { TelltaleError } from '../../../runtime/errors.js';
import {
  type IncomingRecord,
  emit,
  record,
  retryLater,
  type StepContext,
  type StepOutcome,
} from '../../../runtime/processor.js';
import type { ScoringRequest } from '../../../schemas/generated/scoring-request.js';
import type { Topic } from '../../../topics/topic.js';
import type { LanguageModelFindings } from '../metrics/language-model/finding.js';
import type { ScoringJob } from '../scoring-job.js';
import type { Found } from './find-with-language-model.js';
import type { FindingsInFlight } from './findings-in-flight.js';

type Request = IncomingRecord<ScoringRequest>;
type Step = (requests: readonly Request[], context: StepContext) => Promise<readonly StepOutcome[]>;

/** Scores requests whose findings have arrived; one outcome for each, in their order. */
export type ScoreWith = (
  requests: readonly Request[],
  findings: ReadonlyMap<string, LanguageModelFindings>,
  context: StepContext,
) => Promise<readonly StepOutcome[]>;

export interface LaneStepOptions {
  readonly inFlight: FindingsInFlight;
  readonly jobOf: (request: ScoringRequest) => ScoringJob;
  readonly score: ScoreWith;
  readonly now: () => number;
}

/** The part of a call's time that is reserved for what follows the language model's answer. */
const reserveMs = 750;
/** How long a step waits for answers before its calls are requeued. */
const windowMs = 250;

/**
 * The task lane: a run waits for all its answers. While the model is unavailable the whole run waits, up to
 * `patienceMs` after the outage began. Answers that came before are kept, and not requested again.
 */
export function stepOfTasks(
  { inFlight, jobOf, score, now }: LaneStepOptions,
  { timeoutMs, patienceMs }: { readonly timeoutMs: number; readonly patienceMs: number },
): Step {
  let outageSinceMs: number | undefined;
  return async (requests, context) => {
    const beganMs = now();
    const asked = requests.map(({ value }) => inFlight.of(jobOf(value), () => now() + timeoutMs));
    const answered = Promise.all(asked);
    if (await isAbandoned(answered, context.signal)) return release(requests);
    const found = await answered;
    const outage = found.find((each) => each.outage !== undefined)?.outage;
    outageSinceMs = outage === undefined ? undefined : (outageSinceMs ?? beganMs);
    if (outageSinceMs !== undefined && now() - outageSinceMs < patienceMs) {
      requests.forEach(({ value }, at) => {
        if (found[at]?.outage !== undefined) inFlight.forget(value.id);
      });
      return requests.map(() => retryLater(outage));
    }
    return await scoreAndForget(requests, findingsOf(requests, found), context, { inFlight, score });
  };
}

/**
 * The real-time lane: no call waits for another call's answer. A step ends as soon as one of its calls is
 * answered, or its window is over. Calls without an answer are requeued: they are appended to their own lane
 * again, in the same transaction, and find their work in progress when read again. (Otherwise the slowest
 * answer would delay the lane, because a Kafka client fetches again only when everything it has fetched is
 * done.)
 */
export function stepOfCalls(
  { inFlight, jobOf, score, now }: LaneStepOptions,
  lane: Topic<ScoringRequest>,
): Step {
  return async (requests, context) => {
    const answers = new Map<string, Found>();
    const asked = requests
      .filter(({ value }) => deadlineOf(value) > now())
      .map(async ({ value }) => {
        const found = await inFlight.of(jobOf(value), () => deadlineOf(value) - reserveMs);
        answers.set(value.id, found);
      });
    const answered = asked.length === 0 ? Promise.resolve() : Promise.race([...asked, sleep(windowMs)]);
    if (await isAbandoned(answered, context.signal)) return release(requests);
    // A call past its deadline is no longer scored, whatever was found: the scorer drops and counts it.
    const ready = requests.filter(({ value }) => answers.has(value.id) || deadlineOf(value) <= now());
    const found = ready.map(({ value }) => answers.get(value.id) ?? { findings: {} });
    const outcomes = await scoreAndForget(ready, findingsOf(ready, found), context, { inFlight, score });
    const scored = new Map(ready.map((request, at) => [request, outcomes[at]]));
    return requests.map((request) => scored.get(request) ?? emit(record(lane, request.key, request.value)));
  };
}

function deadlineOf({ deadline }: ScoringRequest): number {
  return deadline === null ? Infinity : deadline / 1_000;
}

function findingsOf(
  requests: readonly Request[],
  found: readonly Found[],
): ReadonlyMap<string, LanguageModelFindings> {
  return new Map(requests.map(({ value }, at) => [value.id, found[at]?.findings ?? {}]));
}

/** Keeps the findings until there is an outcome after which they are not needed again. */
async function scoreAndForget(
  requests: readonly Request[],
  findings: ReadonlyMap<string, LanguageModelFindings>,
  context: StepContext,
  { inFlight, score }: Pick<LaneStepOptions, 'inFlight' | 'score'>,
): Promise<readonly StepOutcome[]> {
  if (requests.length === 0) return [];
  const outcomes = await score(requests, findings, context);
  if (outcomes.some(({ kind }) => kind === 'retry-later')) return outcomes;
  for (const { value } of requests) inFlight.forget(value.id);
  return outcomes;
}

function release(requests: readonly Request[]): readonly StepOutcome[] {
  return requests.map(() => retryLater('the process is stopping, or it lost its partition'));
}

/** Whether the work was dropped unfinished, because the process stops or the partition was taken away. */
async function isAbandoned(work: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  try {
    await untilAborted(work, signal, () => undefined);
    return signal.aborted;
  } catch (error) {
    if (error instanceof TelltaleError && error.code === 'LLM_ABANDONED') return true;
    throw error;
  }
}
