import type { Codec } from '../../../runtime/codec.js';
import { TelltaleError } from '../../../runtime/errors.js';
import type { KafkaAccess } from '../../../runtime/kafka/client/kafka-access.js';
import { readLog } from '../../../runtime/kafka/consume/read-log.js';
import type { IncomingRecord } from '../../../runtime/processor.js';
import type { LogRecord } from '../../../runtime/kafka/protocol/record-batches.js';
import { Pace } from '../../../runtime/replays/pace.js';
import {
  isOfTopic,
  offsetsIn,
  planRequests,
  requestStarts,
  type RequestPlan,
} from '../../../runtime/replays/scoring/plan-requests.js';
import {
  noStatus,
  scoringProgressOf,
  scoringRequestOf,
  type ScoringProgress,
  type ScoringReplayRequest,
} from '../../../runtime/replays/scoring/scoring-replay-request.js';
import type { ScoringRequest } from '../../../schemas/generated/scoring-request.js';
import { combined } from '../../../schemas/metrics.js';
import { scoringRequests } from '../../../topics/scoring.js';
import { replayStored } from './replay-stored.js';
import {
  noneScored,
  portionsOf,
  scorePortion,
  type PortionCounts,
  type PortionOptions,
} from './score-portion.js';
import type { StoredRange, StoredRequests } from './stored-requests.js';

export interface ReplayRequestsOptions extends PortionOptions {
  readonly access: KafkaAccess;
  /** The results that the replay asks for, accepted before a timestamp (microseconds since 1970). */
  readonly openStored: (
    request: ScoringReplayRequest,
    bounds: Pick<ScoringProgress, 'from'>,
    range: StoredRange,
  ) => Promise<StoredRequests>;
}

/**
 * Scores again what the replay asks for: tasks from scoring.requests, then real-time calls from the stored
 * results. If the topic has lost a part, or conditions on columns are given, both come from the stored
 * results. Results and progress are in one transaction, so a replay that is killed at any line continues
 * after the last portion that has its results. Rejects with REPLAY_INVALID.
 */
export async function replayRequests(options: ReplayRequestsOptions): Promise<void> {
  const { access, commits } = options;
  const request = scoringRequestOf(commits.state);
  const progress = scoringProgressOf(commits.state);
  if (progress.plan === null && progress.stored === null) await plan(options, request, progress);
  const { plan: planned, stored, from, rate } = scoringProgressOf(commits.state);
  const pace = new Pace(rate ?? undefined);
  const isTopicDone = planned === null || (stored !== null && stored.after !== null);
  if (!isTopicDone) await replayTopic(options, access, planned, pace);
  if (stored === null) return;
  const range = { until: stored.until, callsAlone: planned !== null };
  await replayStored(options, await options.openStored(request, { from }, range), pace);
}

async function plan(
  { access, commits, openStored }: ReplayRequestsOptions,
  request: ScoringReplayRequest,
  bounds: ScoringProgress,
): Promise<void> {
  const write = (total: number, change: Partial<ScoringProgress>): Promise<void> =>
    commits.commit([], (state) => ({
      ...state,
      total,
      progress: JSON.stringify({ ...scoringProgressOf(state), ...change }),
    }));
  const until = bounds.to === null ? bounds.version : bounds.to * 1_000;
  const countStored = async (callsAlone: boolean): Promise<number> =>
    (await openStored(request, bounds, { until, callsAlone })).count();
  const stored = { until, after: null };
  if (await isOfTopic(access, request, bounds)) {
    const planned = await planRequests(access, bounds);
    await write(offsetsIn(planned) + (await countStored(true)), { plan: planned, stored });
    return;
  }
  if (request.status)
    throw new TelltaleError('REPLAY_INVALID', {
      reason: `${scoringRequests.name} starts later: ${noStatus}`,
    });
  await write(await countStored(false), { stored });
}

const bytesOf = ({ value }: LogRecord): number => value?.length ?? 0;

async function replayTopic(
  options: ReplayRequestsOptions,
  access: KafkaAccess,
  planned: RequestPlan,
  pace: Pace,
): Promise<void> {
  const { brake, commits, signal } = options;
  const starts = await requestStarts(access);
  for (const { partition, from, to } of planned) {
    const reached = scoringProgressOf(commits.state).at[partition] ?? from;
    const first = Math.max(reached, starts.get(partition) ?? 0);
    if (first < to)
      await readLog({
        topic: scoringRequests.name,
        kafka: access,
        ranges: new Map([[partition, { from: first, to }]]),
        take: async (_, records) => {
          for (const part of portionsOf(records, bytesOf, () => brake.portion, pace.limit))
            await doPortion(options, pace, partition, part);
        },
      });
    signal.throwIfAborted();
    await commits.commit([], (state) => reachedIn(state, partition, to, noneScored, pace.rate));
  }
}

async function doPortion(
  options: ReplayRequestsOptions,
  pace: Pace,
  partition: number,
  records: readonly LogRecord[],
): Promise<void> {
  const asked = scoringRequestOf(options.commits.state);
  const read = async (): Promise<readonly IncomingRecord<ScoringRequest>[]> => {
    const requests: IncomingRecord<ScoringRequest>[] = [];
    for (const record of records) {
      const request = await decoded(options.codecs.of(scoringRequests), partition, record);
      if (request === undefined) continue;
      const { metric, workspace } = request.value;
      const isAsked = asked.metric === combined || metric === asked.metric || metric === combined;
      if (isAsked && (asked.workspace === null || workspace === asked.workspace)) requests.push(request);
    }
    return requests;
  };
  const next = (records.at(-1)?.offset ?? 0) + 1;
  await scorePortion(options, read, (state, counts) => reachedIn(state, partition, next, counts, pace.rate));
  await pace.did(records.length);
}

type State = PortionOptions['commits']['state'];

function reachedIn(
  state: State,
  partition: number,
  next: number,
  { scored, failures }: PortionCounts,
  rate: number | null,
): State {
  const progress = scoringProgressOf(state);
  const at: Readonly<Record<string, number>> = { ...progress.at, [partition]: next };
  const records = (progress.plan ?? []).reduce(
    (sum, one) => sum + Math.max(0, (at[one.partition] ?? one.from) - one.from),
    0,
  );
  return {
    ...state,
    records,
    rate,
    failures: state.failures + failures,
    progress: JSON.stringify({ ...progress, at, scored: progress.scored + scored }),
  };
}

/** Undefined if the bytes are poison: the live lane has made them a dead letter. */
async function decoded(
  codec: Codec<ScoringRequest>,
  partition: number,
  { key, value, offset, timestamp }: LogRecord,
): Promise<IncomingRecord<ScoringRequest> | undefined> {
  if (value === null) return undefined;
  try {
    return {
      topic: scoringRequests.name,
      partition,
      offset,
      key: key?.toString() ?? '',
      value: await codec.decode(value),
      appendedAt: timestamp * 1_000,
    };
  } catch (error) {
    if (error instanceof TelltaleError && error.code === 'RECORD_UNDECODABLE') return undefined;
    throw error;
  }
}
