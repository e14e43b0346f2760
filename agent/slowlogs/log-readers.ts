/**
 * For which entry of integration.json the logs of a cluster are read: entries that lead to one cluster share what is
 * known of its logs, and two that read at once would hand the same over twice. The first has them, also while its
 * cluster is away, until it leads to another cluster: it claims when it begins to read, so that it reads no other then.
 */
export class LogReaders<Reader> {
  /** By cluster. */
  private readonly readers = new Map<string, Reader>();

  /** Gives whose the cluster's logs are. */
  claim(uuid: string, by: Reader): Reader {
    for (const [claimed, reader] of this.readers)
      if (reader === by && claimed !== uuid) this.readers.delete(claimed);
    const reader = this.readers.get(uuid) ?? by;
    this.readers.set(uuid, reader);
    return reader;
  }

  clear(): void {
    this.readers.clear();
  }
}
