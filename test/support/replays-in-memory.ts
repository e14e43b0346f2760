import type { Replays } from '../../http-edge/ports.js';
import type { ReplayState } from '../../runtime/replays/replay-log.js';
import { queuedScoring, scoringIdOf, scoringWishOf } from '../../runtime/replays/scoring/scoring-wish.js';

/** Replays that nobody works on. */
export function replaysInMemory(): Replays {
  const known = new Map<string, ReplayState>();
  return {
    list: (workspace) => [...known.values()].filter((one) => scoringWishOf(one).workspace === workspace),
    ask(wish, rate) {
      const asked = known.get(scoringIdOf(wish)) ?? queuedScoring(wish, rate, Date.now());
      known.set(asked.id, asked);
      return Promise.resolve(asked);
    },
  };
}
