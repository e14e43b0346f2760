/**
 * Decides for which entry of integration.json the logs of a cluster are read. Entries that lead to one cluster share
 * what is known of its logs, and two that read at once would put the same entries twice. The first entry has the
 * cluster, also while the cluster is away, until it leads to another one: it claims a cluster when it begins to read,
 * so that it reads no other then.
 */
export class LogReaders<Reader> {
  /** By cluster. */
  private readonly readers = new Map<string, Reader>();

  /** Returns the reader that has the cluster's logs. */
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
