import type { ReplayTableOptions } from './replay-table.js';
import { isUnderExchange, tableProgressOf } from './table-progress.js';

type Taken = ReplayTableOptions['taken'];

/**
 * Ends the replay at its next commit after the signal, but not during the exchange of tables, which is brief:
 * their sink waits for it. A table that is closed for the exchange is opened again.
 */
export function untilAborted(taken: Taken, signal: AbortSignal): Taken {
  return {
    owner: taken.owner,
    get state() {
      return taken.state;
    },
    async commit(records, state) {
      if (!isUnderExchange(tableProgressOf(state.progress))) signal.throwIfAborted();
      await taken.commit(records, state);
    },
  };
}
