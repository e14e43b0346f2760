import type { Pace } from '../../../runtime/replays/pace.js';
import { scoringProgressOf } from '../../../runtime/replays/scoring/scoring-replay-request.js';
import { portionsOf, scorePortion, type PortionCounts, type PortionOptions } from './score-portion.js';
import type { KeyOfText, StoredRequests } from './stored-requests.js';

type State = PortionOptions['commits']['state'];

/** Scores stored texts again, in the order of the table, after the last one whose new result is committed. */
export async function replayStored(
  options: PortionOptions,
  stored: StoredRequests,
  pace: Pace,
): Promise<void> {
  const { brake, commits, signal } = options;
  let after = scoringProgressOf(commits.state).stored?.after ?? null;
  for (;;) {
    const keys = await stored.keysAfter(after, signal);
    for (const part of portionsOf(
      keys,
      ({ bytes }) => bytes,
      () => brake.portion,
      pace.limit,
    )) {
      await scorePortion(
        options,
        () => stored.read(part.map(({ key }) => key)),
        (state, counts) => reachedIn(state, part, counts, pace.rate),
      );
      await pace.did(part.length);
    }
    after = keys.at(-1)?.key ?? null;
    signal.throwIfAborted();
    if (after === null) return;
  }
}

function reachedIn(
  state: State,
  part: readonly KeyOfText[],
  { scored, failures }: PortionCounts,
  rate: number | null,
): State {
  const progress = scoringProgressOf(state);
  const last = part.at(-1);
  if (progress.stored === null || last === undefined) return state;
  return {
    ...state,
    records: state.records + part.length,
    rate,
    failures: state.failures + failures,
    progress: JSON.stringify({
      ...progress,
      stored: { ...progress.stored, after: last.key },
      scored: progress.scored + scored,
    }),
  };
}
