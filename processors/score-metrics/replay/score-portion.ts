import type { IncomingRecord } from '../../../runtime/processor.js';
import type { CodecBook } from '../../../runtime/registry/codec-book.js';
import type { LiveBrake } from '../../../runtime/replays/live-brake.js';
import type { ScoringRequest } from '../../../schemas/generated/scoring-request.js';
import type { OrderedCommits } from '../../../runtime/replays/ordered-commits.js';
import { scoreAgain, type ScoringStep } from './score-again.js';

export interface PortionOptions {
  readonly codecs: CodecBook;
  readonly commits: OrderedCommits;
  readonly step: ScoringStep;
  readonly brake: LiveBrake;
  readonly signal: AbortSignal;
}

export interface PortionCounts {
  readonly scored: number;
  readonly failures: number;
}

export const noneScored: PortionCounts = { scored: 0, failures: 0 };

type State = OrderedCommits['state'];

/** The size of one transaction. Larger ones would keep the threads busier, and hold more in memory. */
const portionBytes = 512 * 1024;

/**
 * Scores what `read` returns, and commits the results with the progress of the replay. Resolves once they are
 * scored; the commit runs during the next portion. Rejects if the previous commit failed.
 */
export async function scorePortion(
  { codecs, commits, step, brake, signal }: PortionOptions,
  read: () => Promise<readonly IncomingRecord<ScoringRequest>[]>,
  reached: (state: State, counts: PortionCounts) => State,
): Promise<void> {
  await brake.wait(signal);
  signal.throwIfAborted();
  const began = performance.now();
  const { records, ...counts } = await scoreAgain(step, await read(), codecs, signal);
  await commits.settled();
  void commits.commit(records, (state) => reached(state, counts)).catch(() => undefined);
  await brake.rest(performance.now() - began, signal);
}

/**
 * A slow replay (`rate` records per second) has small portions and proceeds evenly. Calls `most` per item.
 */
export function* portionsOf<Item>(
  items: readonly Item[],
  bytesOf: (item: Item) => number,
  most: () => number,
  rate = Infinity,
): Generator<readonly Item[]> {
  let part: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    part.push(item);
    bytes += bytesOf(item);
    if (part.length < Math.min(rate, most()) && bytes < portionBytes) continue;
    yield part;
    [part, bytes] = [[], 0];
  }
  if (part.length > 0) yield part;
}
