import type { LogRecord, RecordBatch } from './record-batches.js';

/**
 * Decides which records of a partition are final, as early as that can be known: records outside a transaction at once,
 * records of a transaction when its commit marker comes, those of an aborted one never. Kafka's own read-committed
 * fetch stops at the first open transaction. A task accepted now would then stay invisible until earlier work on other
 * tasks of its partition is committed, and for as long as a crashed processor's transaction stays open.
 */
export class OpenTransactions {
  private readonly open = new Map<bigint, OpenTransaction>();

  /** Returns the records that this batch makes final. */
  settle(batch: RecordBatch, fromOffset: number): readonly LogRecord[] {
    if (batch.control !== undefined) {
      const ended = this.open.get(batch.producerId);
      this.open.delete(batch.producerId);
      return batch.control === 'commit' ? (ended?.records ?? []) : [];
    }
    const records =
      batch.baseOffset >= fromOffset
        ? batch.records
        : batch.records.filter(({ offset }) => offset >= fromOffset);
    if (!batch.transactional) return records;
    const transaction = this.open.get(batch.producerId);
    if (transaction === undefined) {
      this.open.set(batch.producerId, { firstOffset: batch.baseOffset, records: [...records] });
    } else {
      transaction.records.push(...records);
    }
    return [];
  }

  /** Whether an open transaction has a record of this key. */
  holds(key: string): boolean {
    if (this.open.size === 0) return false;
    const wanted = Buffer.from(key);
    for (const { records } of this.open.values())
      if (records.some((record) => record.key?.equals(wanted) === true)) return true;
    return false;
  }

  /** Where a reader must begin again to miss nothing: before the oldest open transaction. */
  restartAt(position: number): number {
    let earliest = position;
    for (const { firstOffset } of this.open.values()) earliest = Math.min(earliest, firstOffset);
    return earliest;
  }

  /** When the oldest record of an open transaction was appended, milliseconds since 1970; undefined without one. */
  openSince(): number | undefined {
    const [oldest] = [...this.open.values()].sort((a, b) => a.firstOffset - b.firstOffset);
    return oldest?.records[0]?.timestamp;
  }
}

interface OpenTransaction {
  readonly firstOffset: number;
  readonly records: LogRecord[];
}
