import { Problem, retryAfter } from '../../runtime/http/problem.js';
import { WorkSlots } from '../../runtime/http/work-slots.js';
import { currentAsker } from './asker.js';

/**
 * A read that waits longer is refused. So is one with this many reads of its workspace ahead of it. A page of
 * the dashboard makes about thirty at once.
 */
const patienceMs = 10_000;
const waiting = 500;

/**
 * Limits concurrent reads. A workspace has at most as many as it leaves free. Waiting workspaces take turns.
 */
export class ReadTurns {
  private readonly slots: WorkSlots;

  constructor(count: number) {
    this.slots = new WorkSlots({ count, patienceMs, waiting });
  }

  /** Throws the problem `overloaded` if no turn comes, and ClientGone if nobody waits for it any more. */
  async run<Value>(read: (gone: AbortSignal | undefined) => Promise<Value>): Promise<Value> {
    const { workspace = '', gone } = currentAsker() ?? {};
    const hasTurn = await this.slots.take({ owner: workspace }, gone);
    try {
      gone?.throwIfAborted();
      if (!hasTurn) throw overloaded();
      return await read(gone);
    } finally {
      if (hasTurn) this.slots.give({ owner: workspace });
    }
  }
}

const overloaded = (): Problem =>
  new Problem(
    'overloaded',
    'This workspace has too many concurrent reads. Try again in a second, with fewer at once.',
    { headers: retryAfter(1) },
  );
