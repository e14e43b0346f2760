import { FairRoom } from './fair-room.js';

export interface WorkSlotsOptions {
  readonly count: number;
  /** How long a request waits for a slot. */
  readonly patienceMs: number;
}

interface Waiting {
  admit(hasSlot: boolean): void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Slots for the requests that a server has in hand. An owner has no more than it leaves free. Who finds none waits,
 * with its body unread; owners that wait are served in turn.
 */
export class WorkSlots {
  private readonly room: FairRoom;
  private readonly patienceMs: number;
  /** By owner, the oldest first; the owner that was served last is the last in the map. */
  private readonly waiting = new Map<string, Waiting[]>();

  constructor({ count, patienceMs }: WorkSlotsOptions) {
    this.room = new FairRoom(() => count);
    this.patienceMs = patienceMs;
  }

  /** Whether there was a slot in time. It is to be given back. */
  take(owner: string): boolean | Promise<boolean> {
    const others = this.waiting.get(owner);
    if (others === undefined && this.room.take(1, owner)) return true;
    return new Promise((admit) => {
      const timer = setTimeout(() => this.timeOut(owner), this.patienceMs);
      const waiting = { admit, timer };
      if (others === undefined) this.waiting.set(owner, [waiting]);
      else others.push(waiting);
    });
  }

  give(owner: string): void {
    this.room.give(1, owner);
    for (const next of this.waiting.keys()) {
      if (!this.room.take(1, next)) continue;
      const waiting = this.leave(next);
      clearTimeout(waiting?.timer);
      waiting?.admit(true);
      return;
    }
  }

  /** All wait for equally long: so the one whose time is over is the oldest. */
  private timeOut(owner: string): void {
    this.leave(owner)?.admit(false);
  }

  private leave(owner: string): Waiting | undefined {
    const queue = this.waiting.get(owner) ?? [];
    const oldest = queue.shift();
    this.waiting.delete(owner);
    if (queue.length > 0) this.waiting.set(owner, queue);
    return oldest;
  }
}
