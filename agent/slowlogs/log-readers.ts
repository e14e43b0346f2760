/**
 * Decides for which entry of integration.json the logs of a cluster are read. Entries that lead to one
 * cluster share what is known of its logs, and two that read at once would put the same entries twice. The
 * first entry has the cluster until it leads to another one, even while the cluster is down. An entry claims
 * a cluster when it starts to read it, and thereby releases any other.
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
