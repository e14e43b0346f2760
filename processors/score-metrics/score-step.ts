import type { Clock } from '../../runtime/clock.js';
import {
  type IncomingRecord,
  type OutgoingRecord,
  drop,
  emit,
  retryLater,
  type StepContext,
  type StepOutcome,
} from '../../runtime/processor.js';
import { TelltaleError } from '../../runtime/errors.js';
import { inSlices } from '../../runtime/slice.js';
import type { ScoringRequest } from '../../schemas/generated/scoring-request.js';
import type { RequestedMetric } from '../../schemas/metrics.js';
import type { LanguageModelFindings } from './metrics/language-model/finding.js';
import type { StageTimestamps } from './records.js';
import type { ScoringJob, ScoringJobResult, ScoringPool } from './scoring-job.js';

type Request = IncomingRecord<ScoringRequest>;

export interface ScoreStepOptions {
  readonly pool: ScoringPool;
  readonly clock: Clock;
  /** The records of a request that was scored, or that failed. */
  readonly records: (
    request: ScoringRequest,
    result: ScoringJobResult,
    timestamps: StageTimestamps,
  ) => readonly OutgoingRecord[];
}

/** Why a request is dropped unscored; counted under this name. */
const deadlinePassed = 'deadline passed';

/** A request with an unknown metric name gets this far: the pool fails it. */
export function jobOf({ id, workspace, metric, prompt, response }: ScoringRequest): ScoringJob {
  return { id, workspace, metric: metric as RequestedMetric, prompt, response };
}

/**
 * Scores requests in the pool: one outcome for each, in their order. A request past its deadline is dropped
 * unscored. A request that can't be scored has failed, and its record says so. If the pool has no room, or
 * the partition is taken away, the whole run is read again.
 */
export async function scoreStep(
  requests: readonly Request[],
  findings: ReadonlyMap<string, LanguageModelFindings>,
  { signal }: StepContext,
  { pool, clock, records }: ScoreStepOptions,
): Promise<readonly StepOutcome[]> {
  const takenAt = clock();
  const inTime = requests.filter(({ value: { deadline } }) => deadline === null || deadline > takenAt);
  let results: readonly ScoringJobResult[];
  try {
    results = await pool.score(
      inTime.map(({ value }) => withFindings(jobOf(value), findings.get(value.id))),
      { signal },
    );
  } catch (error) {
    if (!mayPass(error, signal)) throw error;
    return requests.map(() => retryLater(error));
  }
  const scoredAt = clock();
  const scored = new Map(inTime.map((request, index) => [request, results[index]]));
  return inSlices(requests, (request) => {
    const result = scored.get(request);
    if (result === undefined) return drop(deadlinePassed);
    return emit(...records(request.value, result, { appendedAt: request.appendedAt, takenAt, scoredAt }));
  });
}

function withFindings(job: ScoringJob, findings: LanguageModelFindings | undefined): ScoringJob {
  return findings === undefined ? job : { ...job, findings };
}

function mayPass(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted || (error instanceof TelltaleError && error.code === 'POOL_FULL');
}
