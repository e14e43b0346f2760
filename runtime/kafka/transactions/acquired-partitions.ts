/** What is taken over once for each partition, and shared by all who ask for it until it is forgotten. */
export class AcquiredPartitions<Taken> {
  private readonly entries = new Map<number, Entry<Taken>>();

  /** What the partition was taken over as; takes it over where nobody has. A take-over that fails is forgotten. */
  of(partition: number, takeOver: () => Promise<Taken>): Promise<Taken> {
    const known = this.entries.get(partition);
    if (known !== undefined) return known.taking;
    const entry: Entry<Taken> = { taking: takeOver(), taken: undefined };
    this.entries.set(partition, entry);
    entry.taking.then(
      (taken) => (entry.taken = taken),
      () => this.forget(partition, entry.taking),
    );
    return entry.taking;
  }

  /** Undefined where it is not taken over, or not yet. */
  present(partition: number): Taken | undefined {
    return this.entries.get(partition)?.taken;
  }

  /** Only what `taking` stands for, where it is given: the partition may have been taken over anew since. */
  forget(partition: number, taking?: Promise<Taken>): void {
    if (taking === undefined || this.entries.get(partition)?.taking === taking)
      this.entries.delete(partition);
  }

  /** Gives what it forgets, take-overs under way included. */
  forgetAll(): readonly Promise<Taken>[] {
    const all = [...this.entries.values()].map(({ taking }) => taking);
    this.entries.clear();
    return all;
  }
}

interface Entry<Taken> {
  readonly taking: Promise<Taken>;
  taken: Taken | undefined;
}
