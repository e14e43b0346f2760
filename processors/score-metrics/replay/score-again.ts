import { setTimeout as sleep } from 'node:timers/promises';
import { largestRecord, sizeOf, type EncodedRecord } from '../../../runtime/kafka/produce/appender.js';
import type { IncomingRecord, OutgoingRecord, StepContext, StepOutcome } from '../../../runtime/processor.js';
import { reasonOf, TelltaleError } from '../../../runtime/errors.js';
import { encode } from '../../../runtime/processor-step.js';
import type { CodecBook } from '../../../runtime/registry/codec-book.js';
import type { ScoringRequest } from '../../../schemas/generated/scoring-request.js';
import { endedRecord, resultRecord } from '../records.js';
import type { ScoreStepOptions } from '../score-step.js';

type Request = IncomingRecord<ScoringRequest>;

/** A request as its result contains it: a real-time call is no task, and has no status. */
export interface StoredRequest extends ScoringRequest {
  readonly lane: 'task' | 'realtime';
}

const laneOf = (request: ScoringRequest | StoredRequest): StoredRequest['lane'] =>
  'lane' in request ? request.lane : 'task';

/** Scores requests with the present scorers; one outcome for each, in their order. */
export type ScoringStep = (
  requests: readonly Request[],
  context: StepContext,
) => Promise<readonly StepOutcome[]>;

/** The records of a replay for a request. A request that can't be scored again keeps its result. */
export function recordsOfReplay(version: number, withStatus: boolean): ScoreStepOptions['records'] {
  return (request, result, timestamps): readonly OutgoingRecord[] =>
    result.ok
      ? [
          resultRecord(request, laneOf(request), result, timestamps, version),
          ...(withStatus && laneOf(request) === 'task'
            ? [endedRecord(request, result, timestamps.scoredAt)]
            : []),
        ]
      : [];
}

export interface ScoredAgain {
  readonly records: readonly EncodedRecord[];
  readonly scored: number;
  /** Requests that could not be scored again. */
  readonly failures: number;
}

const pauses = { firstMs: 250, longestMs: 10_000 } as const;

/** Scores until every dependency is available. Rejects as soon as the signal is aborted. */
export async function scoreAgain(
  step: ScoringStep,
  requests: readonly Request[],
  codecs: CodecBook,
  signal: AbortSignal,
): Promise<ScoredAgain> {
  for (let pauseMs: number = pauses.firstMs; ; pauseMs = Math.min(pauseMs * 2, pauses.longestMs)) {
    const outcomes = requests.length === 0 ? [] : await stepOf(step, requests, signal);
    signal.throwIfAborted();
    if (outcomes.every(({ kind }) => kind !== 'retry-later')) return gathered(outcomes, codecs);
    await sleep(pauseMs, undefined, { signal });
  }
}

async function stepOf(
  step: ScoringStep,
  requests: readonly Request[],
  signal: AbortSignal,
): Promise<readonly StepOutcome[]> {
  try {
    return await step(requests, { signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw new TelltaleError('STEP_FAILED', { stage: 'replay scoring', reason: reasonOf(cause) }, { cause });
  }
}

function gathered(outcomes: readonly StepOutcome[], codecs: CodecBook): ScoredAgain {
  const all = outcomes.map((outcome): readonly EncodedRecord[] => {
    if (outcome.kind !== 'emit') return [];
    const records = outcome.records.map((record) => encode(codecs, record));
    return records.some((record) => sizeOf(record) > largestRecord) ? [] : records;
  });
  const scored = all.filter((records) => records.length > 0).length;
  return { records: all.flat(), scored, failures: outcomes.length - scored };
}
