/** What is acquired once for each partition, and shared by all who ask for it until it is forgotten. */
export class AcquiredPartitions<Acquired> {
  private readonly entries = new Map<number, Entry<Acquired>>();

  /** What the partition was acquired as; acquires it where nobody has. An acquisition that fails is forgotten. */
  of(partition: number, acquire: () => Promise<Acquired>): Promise<Acquired> {
    const known = this.entries.get(partition);
    if (known !== undefined) return known.acquiring;
    const entry: Entry<Acquired> = { acquiring: acquire(), acquired: undefined };
    this.entries.set(partition, entry);
    entry.acquiring.then(
      (acquired) => (entry.acquired = acquired),
      () => this.forget(partition, entry.acquiring),
    );
    return entry.acquiring;
  }

  /** Undefined where it is not acquired, or not yet. */
  present(partition: number): Acquired | undefined {
    return this.entries.get(partition)?.acquired;
  }

  /** Where `acquiring` is given, forgets that acquisition alone: the partition may have been acquired anew since. */
  forget(partition: number, acquiring?: Promise<Acquired>): void {
    if (acquiring === undefined || this.entries.get(partition)?.acquiring === acquiring)
      this.entries.delete(partition);
  }

  /** Gives what it forgets, acquisitions under way included. */
  forgetAll(): readonly Promise<Acquired>[] {
    const all = [...this.entries.values()].map(({ acquiring }) => acquiring);
    this.entries.clear();
    return all;
  }
}

interface Entry<Acquired> {
  readonly acquiring: Promise<Acquired>;
  acquired: Acquired | undefined;
}
