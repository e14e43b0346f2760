import { hash, randomInt } from 'node:crypto';
import { z } from 'zod';
import { TelltaleError } from '../../errors.js';
import { combined, metricKeys } from '../../../schemas/metrics.js';
import { timestampOf } from '../timestamp.js';
import { readCondition } from './condition.js';
import type { ReplayState } from '../replay-log.js';

/** The request to score texts again. */
const requestForm = z.object({
  /** Requests of this metric, and those of all metrics; `all` for every request. */
  metric: z.enum([combined, ...metricKeys]),
  workspace: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Whether the status of a task gets its new result. */
  status: z.boolean(),
  /** Conditions on columns of telltale.scoring_results, all of which hold (condition.ts). */
  where: z.array(z.string()).default([]),
});
export type ScoringReplayRequest = z.output<typeof requestForm>;

const progressForm = z.object({
  /** The version of each of its results; a later replay of the same request has a newer one. */
  version: z.number(),
  /** Milliseconds since 1970; null: without a bound. */
  from: z.number().nullable(),
  to: z.number().nullable(),
  rate: z.number().nullable(),
  /** Offsets of scoring.requests; null until a processor has acquired the replay. */
  plan: z.array(z.object({ partition: z.number(), from: z.number(), to: z.number() })).nullable(),
  /** The first offset of each partition that is not done. */
  at: z.record(z.string(), z.number()),
  /**
   * What is read from the table: up to which time, and after which request. If there is a plan, only
   * real-time calls, because scoring.requests has the tasks. Null until a processor has acquired the replay.
   */
  stored: z
    .object({
      /** Microseconds since 1970. */
      until: z.number(),
      /** Workspace, time of acceptance (microseconds since 1970), id. */
      after: z.tuple([z.string(), z.number(), z.string()]).readonly().nullable(),
    })
    .nullable()
    .default(null),
  scored: z.number(),
});
export type ScoringProgress = z.output<typeof progressForm>;

export const scoringRequestOf = ({ parameters }: Pick<ReplayState, 'parameters'>): ScoringReplayRequest =>
  requestForm.parse(JSON.parse(parameters));

export const scoringProgressOf = ({ progress }: Pick<ReplayState, 'progress'>): ScoringProgress =>
  progressForm.parse(JSON.parse(progress));

/** A stored result lacks some of what a task's status needs. */
export const noStatus = '`status` needs tasks that scoring.requests still has';

/** Throws REPLAY_INVALID if the request is not valid. */
export function readScoringRequest(given: unknown): ScoringReplayRequest {
  const read = requestForm.safeParse(given);
  if (read.success) {
    for (const condition of read.data.where) readCondition(condition);
    if (read.data.status && read.data.where.length > 0)
      throw new TelltaleError('REPLAY_INVALID', { reason: `\`where\` reads stored results: ${noStatus}` });
    return read.data;
  }
  const reason = read.error.issues.map(({ path, message }) => `\`${path.join('.')}\`: ${message}`).join('; ');
  throw new TelltaleError('REPLAY_INVALID', { reason });
}

/** The same request gives the same replay. */
export const scoringIdOf = (request: ScoringReplayRequest): string =>
  `scoring-${hash('sha256', JSON.stringify(requestForm.parse(request)), 'hex').slice(0, 12)}`;

/** The bounds in milliseconds since 1970. Throws MOMENT_INVALID. */
export function boundsOf(
  { from, to }: ScoringReplayRequest,
  nowMs: number,
): Pick<ScoringProgress, 'from' | 'to'> {
  const at = (given: string | null): number | null => (given === null ? null : timestampOf(given, nowMs));
  return { from: at(from), to: at(to) };
}

/** A replay that waits for a processor. */
export function queuedScoring(
  request: ScoringReplayRequest,
  rate: number | null,
  nowMs: number,
): ReplayState {
  // The random part distinguishes two replays of one millisecond.
  const version = nowMs * 1_000 + randomInt(1_000);
  const progress: ScoringProgress = {
    ...boundsOf(request, nowMs),
    ...{ version, rate, plan: null, at: {}, stored: null, scored: 0 },
  };
  const { metric, workspace, from, to, where } = request;
  const range = `${from === null ? '' : ` from ${from}`}${to === null ? '' : ` to ${to}`}${where.map((one) => `, ${one}`).join('')}`;
  return {
    id: scoringIdOf(request),
    kind: 'scoring',
    what: `${metric} of ${workspace === null ? 'every workspace' : `workspace ${workspace}`}${range}`,
    status: 'queued',
    parameters: JSON.stringify(request),
    progress: JSON.stringify(progress),
    records: 0,
    total: null,
    failures: 0,
    rate: null,
    reason: null,
    created_at: version,
  };
}
