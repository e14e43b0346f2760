/** Acquires each partition once, and shares the result among all callers until it is forgotten. */
export class AcquiredPartitions<Acquired> {
  private readonly entries = new Map<number, Entry<Acquired>>();

  /** The result of the partition's acquisition; acquires it where nobody has. A failed acquisition is forgotten. */
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

  /** Undefined where the partition is not acquired, or not yet. */
  present(partition: number): Acquired | undefined {
    return this.entries.get(partition)?.acquired;
  }

  /** Where `acquiring` is given, forgets only that acquisition: the partition may have been acquired again since. */
  forget(partition: number, acquiring?: Promise<Acquired>): void {
    if (acquiring === undefined || this.entries.get(partition)?.acquiring === acquiring)
      this.entries.delete(partition);
  }

  /** Forgets all, and returns them, acquisitions under way included. */
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
