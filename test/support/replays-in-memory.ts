import { sinks } from '../../cli/sinks.js';
import type { Replays } from '../../http-edge/ports.js';
import { isShownTo } from '../../http-edge/replays/shown-to.js';
import type { ReplayState } from '../../runtime/replays/replay-log.js';
import { queuedScoring, scoringIdOf } from '../../runtime/replays/scoring/scoring-replay-request.js';
import { tableIdOf, tableReplay } from '../../runtime/replays/table/table-replay-request.js';
import type { Replay } from '../../schemas/generated/replay.js';

/** Replays that no process runs. */
export function replaysInMemory(): Replays {
  const known = new Map<string, ReplayState>();
  return {
    list: (workspace) => [...known.values()].filter((one) => isShownTo(workspace, one)),
    sinks,
    // Turns an exception of tableReplay into a rejection.
    // eslint-disable-next-line @typescript-eslint/require-await
    ask: async ({ rate, ...asked }) => {
      const { kind, request } = asked;
      const id = kind === 'table' ? tableIdOf(request.sink) : scoringIdOf(request);
      const found = known.get(id);
      const state =
        kind === 'table'
          ? tableReplay({ request, rate, worker: 'sinks' }, found as Replay | undefined)
          : (found ?? queuedScoring(request, rate, Date.now()));
      known.set(id, state);
      return state;
    },
  };
}
