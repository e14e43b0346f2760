import { FairRoom } from './fair-room.js';

export interface WorkSlotsOptions {
  readonly count: number;
  /** How long a request waits for a slot. */
  readonly patienceMs: number;
  /** How many requests of one owner may wait; any number unless given. */
  readonly waiting?: number;
}

type Admit = (hasSlot: boolean) => void;

/**
 * Slots for the requests that a server is handling. An owner has no more slots than it leaves free. A request that
 * finds none waits, with its body unread; the owners that wait are served round robin.
 */
export class WorkSlots {
  private readonly room: FairRoom;
  /** By owner, the oldest first; the owner that was served last is the last in the map. */
  private readonly waiting = new Map<string, Admit[]>();

  constructor(private readonly options: WorkSlotsOptions) {
    this.room = new FairRoom(() => options.count);
  }

  /** Whether there was a slot in time, and before the signal was aborted. The caller gives it back. */
  take(owner: string, signal?: AbortSignal): boolean | Promise<boolean> {
    const { patienceMs, waiting: most = Infinity } = this.options;
    const others = this.waiting.get(owner) ?? [];
    if (signal?.aborted === true || others.length >= most) return false;
    if (others.length === 0 && this.room.take(1, owner)) return true;
    return new Promise((resolve) => {
      const leave = (): void => {
        this.leave(owner, admit);
        admit(false);
      };
      const timer = setTimeout(leave, patienceMs);
      const admit: Admit = (hasSlot) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        resolve(hasSlot);
      };
      signal?.addEventListener('abort', leave, { once: true });
      others.push(admit);
      this.waiting.set(owner, others);
    });
  }

  give(owner: string): void {
    this.room.give(1, owner);
    for (const [next, others] of this.waiting) {
      if (!this.room.take(1, next)) continue;
      this.waiting.delete(next);
      const admit = others.shift();
      if (others.length > 0) this.waiting.set(next, others);
      admit?.(true);
      return;
    }
  }

  private leave(owner: string, admit: Admit): void {
    const others = this.waiting.get(owner) ?? [];
    others.splice(others.indexOf(admit), 1);
    if (others.length === 0) this.waiting.delete(owner);
  }
}
