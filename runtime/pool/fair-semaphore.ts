/**
 * Admits this many callers at a time. Waiting callers belong to groups: the groups are served round robin,
 * and each group in order.
 */
export class FairSemaphore {
  private free: number;
  /** Callers that wait, by group; the group that was served last is the last in the map. */
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(count: number) {
    this.free = count;
  }

  /** Resolves when the caller has a permit; rejects with the signal's reason if that is aborted first. */
  async acquire(group: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.free > 0) {
      this.free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const admit = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.remove(group, admit);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', leave, { once: true });
      const others = this.waiting.get(group);
      if (others === undefined) this.waiting.set(group, [admit]);
      else others.push(admit);
    });
  }

  release(): void {
    const next = this.next();
    if (next === undefined) this.free += 1;
    else next();
  }

  private next(): (() => void) | undefined {
    const [first] = this.waiting;
    if (first === undefined) return undefined;
    const [group, waiting] = first;
    const admit = waiting.shift();
    this.waiting.delete(group);
    if (waiting.length > 0) this.waiting.set(group, waiting);
    return admit;
  }

  private remove(group: string, admit: () => void): void {
    const waiting = this.waiting.get(group);
    if (waiting === undefined) return;
    waiting.splice(waiting.indexOf(admit), 1);
    if (waiting.length === 0) this.waiting.delete(group);
  }
}
