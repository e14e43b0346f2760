import { FairRoom } from './fair-room.js';

export interface WorkSlotsOptions {
  readonly count: number;
  /** How long a request waits for a slot. */
  readonly patienceMs: number;
  /** How many requests of one owner may wait; unlimited unless given. */
  readonly waiting?: number;
}

/** The owner of a slot. Waiting groups are served in turn, and so are the owners within a group. */
export interface SlotOwner {
  readonly owner: string;
  /** The owner is one of its own unless given. */
  readonly group?: string;
}

type Admit = (hasSlot: boolean) => void;

/** Waiting requests by group and owner. Whoever was served last is last in the map; each owner's queue is first in, first out. */
type Waiting = Map<string, Map<string, Admit[]>>;

/**
 * Slots for the requests that a server is working on. An owner or a group gets no more than its share of the
 * room (FairRoom). A request that finds no slot waits with its body unread.
 */
export class WorkSlots {
  private readonly room: FairRoom;
  private readonly waiting: Waiting = new Map();

  constructor(private readonly options: WorkSlotsOptions) {
    this.room = new FairRoom(() => options.count);
  }

  /** Takes a slot, to be given back. False if none was free in time, or the signal was aborted first. */
  take({ owner, group = owner }: SlotOwner, signal?: AbortSignal): boolean | Promise<boolean> {
    const { patienceMs, waiting: most = Infinity } = this.options;
    const others = this.waiting.get(group)?.get(owner) ?? [];
    if (signal?.aborted === true || others.length >= most) return false;
    if (others.length === 0 && this.room.take(1, owner, group)) return true;
    return new Promise((resolve) => {
      const leave = (): void => {
        this.leave({ owner, group }, admit);
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
      const owners = this.waiting.get(group) ?? new Map<string, Admit[]>();
      this.waiting.set(group, owners.set(owner, others));
    });
  }

  give({ owner, group = owner }: SlotOwner): void {
    this.room.give(1, owner, group);
    for (const [nextGroup, owners] of this.waiting)
      for (const [next, [oldest]] of owners)
        if (oldest !== undefined && this.room.take(1, next, nextGroup)) {
          this.leave({ owner: next, group: nextGroup }, oldest);
          this.toTheEnd(nextGroup, next);
          oldest(true);
          return;
        }
  }

  private leave({ owner, group }: Required<SlotOwner>, admit: Admit): void {
    const owners = this.waiting.get(group);
    const others = owners?.get(owner) ?? [];
    others.splice(others.indexOf(admit), 1);
    if (others.length === 0) owners?.delete(owner);
    if (owners?.size === 0) this.waiting.delete(group);
  }

  private toTheEnd(group: string, owner: string): void {
    const owners = this.waiting.get(group);
    if (owners === undefined) return;
    const others = owners.get(owner);
    if (others !== undefined) {
      owners.delete(owner);
      owners.set(owner, others);
    }
    this.waiting.delete(group);
    this.waiting.set(group, owners);
  }
}
