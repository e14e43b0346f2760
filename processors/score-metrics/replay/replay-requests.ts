import type { Codec } from '../../../runtime/codec.js';
import { TelltaleError } from '../../../runtime/errors.js';
import type { KafkaAccess } from '../../../runtime/kafka/client/kafka-access.js';
import { readLog } from '../../../runtime/kafka/consume/read-log.js';
import type { LogRecord } from '../../../runtime/kafka/protocol/record-batches.js';
import type { IncomingRecord } from '../../../runtime/kafka/produce/records.js';
import type { CodecBook } from '../../../runtime/registry/codec-book.js';
import { Pace } from '../../../runtime/replays/pace.js';
import { requestStarts, offsetsIn, planRequests } from '../../../runtime/replays/scoring/plan-requests.js';
import { scoringProgressOf, scoringWishOf } from '../../../runtime/replays/scoring/scoring-wish.js';
import type { ScoringRequest } from '../../../schemas/generated/scoring-request.js';
import { combined } from '../../../schemas/metrics.js';
import { scoringRequests } from '../../../topics/scoring.js';
import type { CommitsInTurn } from './commits-in-turn.js';
import type { LiveBrake } from './live-brake.js';
import { scoreAgain, type ScoringStep } from './score-again.js';

export interface ReplayRequestsOptions {
  readonly access: KafkaAccess;
  readonly codecs: CodecBook;
  readonly commits: CommitsInTurn;
  readonly step: ScoringStep;
  readonly brake: LiveBrake;
  readonly signal: AbortSignal;
}

/** Of one transaction. Larger ones keep the threads busier, and hold more in memory. */
const portion = { records: 400, bytes: 512 * 1024 } as const;

/**
 * Scores again what the replay's plan names. Results and how far the replay is are one transaction, so a replay that is
 * killed at any line goes on behind the last portion whose results are there.
 */
export async function replayRequests(options: ReplayRequestsOptions): Promise<void> {
  const { access, commits, signal } = options;
  const { plan, rate, ...bounds } = scoringProgressOf(commits.state);
  const planned = plan ?? (await planRequests(access, bounds));
  if (plan === null)
    await commits.commit([], (state) => ({
      ...state,
      total: offsetsIn(planned),
      progress: JSON.stringify({ ...scoringProgressOf(state), plan: planned }),
    }));
  const starts = await requestStarts(access);
  const pace = new Pace(rate ?? undefined);
  for (const { partition, from, to } of planned) {
    const reached = scoringProgressOf(commits.state).at[partition] ?? from;
    const first = Math.max(reached, starts.get(partition) ?? 0);
    if (first < to)
      await readLog({
        topic: scoringRequests.name,
        kafka: access,
        ranges: new Map([[partition, { from: first, to }]]),
        take: async (_, records) => {
          for (const part of portionsOf(records, rate ?? portion.records))
            await doPortion(options, pace, partition, part);
        },
      });
    signal.throwIfAborted();
    await commits.commit([], (state) =>
      reachedIn(state, partition, to, { scored: 0, failures: 0 }, pace.rate),
    );
  }
}

async function doPortion(
  { codecs, commits, step, brake, signal }: ReplayRequestsOptions,
  pace: Pace,
  partition: number,
  records: readonly LogRecord[],
): Promise<void> {
  await brake.wait(signal);
  signal.throwIfAborted();
  const wish = scoringWishOf(commits.state);
  const requests: IncomingRecord<ScoringRequest>[] = [];
  for (const record of records) {
    const request = await decoded(codecs.of(scoringRequests), partition, record);
    if (request === undefined) continue;
    const { metric, workspace } = request.value;
    const isAsked = wish.metric === combined || metric === wish.metric || metric === combined;
    if (isAsked && (wish.workspace === null || workspace === wish.workspace)) requests.push(request);
  }
  const { records: results, ...counts } = await scoreAgain(step, requests, codecs, signal);
  await commits.settled();
  const next = (records.at(-1)?.offset ?? 0) + 1;
  // Not awaited: the next portion is scored meanwhile.
  void commits
    .commit(results, (state) => reachedIn(state, partition, next, counts, pace.rate))
    .catch(() => undefined);
  await pace.did(records.length);
}

type State = CommitsInTurn['state'];

function reachedIn(
  state: State,
  partition: number,
  next: number,
  { scored, failures }: { readonly scored: number; readonly failures: number },
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

/** Undefined where the bytes are poison: the live lane has made a dead letter of it. */
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

/** A slow replay has small portions, so that it goes on evenly. */
function* portionsOf(records: readonly LogRecord[], rate: number): Generator<readonly LogRecord[]> {
  let part: LogRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    part.push(record);
    bytes += record.value?.length ?? 0;
    if (part.length < Math.min(rate, portion.records) && bytes < portion.bytes) continue;
    yield part;
    [part, bytes] = [[], 0];
  }
  if (part.length > 0) yield part;
}
