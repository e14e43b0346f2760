/** On whose behalf a turn is taken. */
export interface Asker {
  /** The askers of a group are served in their order, and groups in turn. */
  readonly group: string;
  /** Is served before all who are not. */
  readonly urgent: boolean;
}

/** So many at a time: the urgent first, then one of each group in turn. */
export class Turns {
  #free: number;
  readonly #urgent = new RoundRobin();
  readonly #others = new RoundRobin();

  constructor(count: number) {
    this.#free = count;
  }

  /** Whether someone urgent waits. */
  get isPressed(): boolean {
    return !this.#urgent.isEmpty;
  }

  /** Resolves when it is the caller's turn; rejects with the signal's reason if that is aborted first. */
  async take({ group, urgent }: Asker, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const queue = urgent ? this.#urgent : this.#others;
    await new Promise<void>((resolve, reject) => {
      const mine = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        queue.remove(group, mine);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', leave, { once: true });
      queue.add(group, mine);
    });
  }

  giveBack(): void {
    const next = this.#urgent.next() ?? this.#others.next();
    if (next === undefined) this.#free += 1;
    else next();
  }
}

/** Those who wait, by group; the group that was served last is the last in the map. */
class RoundRobin {
  readonly #groups = new Map<string, (() => void)[]>();

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  add(group: string, call: () => void): void {
    const waiting = this.#groups.get(group);
    if (waiting === undefined) this.#groups.set(group, [call]);
    else waiting.push(call);
  }

  remove(group: string, call: () => void): void {
    const waiting = this.#groups.get(group);
    if (waiting === undefined) return;
    waiting.splice(waiting.indexOf(call), 1);
    if (waiting.length === 0) this.#groups.delete(group);
  }

  next(): (() => void) | undefined {
    const [first] = this.#groups;
    if (first === undefined) return undefined;
    const [group, waiting] = first;
    const call = waiting.shift();
    this.#groups.delete(group);
    if (waiting.length > 0) this.#groups.set(group, waiting);
    return call;
  }
}
