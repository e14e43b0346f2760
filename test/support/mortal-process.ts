import type { LedgerFile } from '../../agent/slowlogs/ledger/ledger-file.js';
import { emptyLedger, type LedgerState } from '../../agent/slowlogs/ledger/ledger-state.js';
import type { Disk, DiskFile } from '../../agent/spool/disk.js';
import type { Choose } from './faulty-disk.js';

/** A process that can be killed at any of its calls: neither that call nor a later one reaches the disk. */
export class Life {
  private calls = Infinity;

  constructor(private readonly choose: Choose) {}

  endAfter(calls: number): void {
    this.calls = Math.min(this.calls, calls);
  }

  get isOver(): boolean {
    return this.calls <= 0;
  }

  /** The last call may or may not take effect; its result is lost in both cases. */
  async live<Value>(act: () => Promise<Value>): Promise<Value> {
    this.calls -= 1;
    if (this.calls > 0) return act();
    if (this.calls === 0 && this.choose(2) === 0) await act();
    throw new Error('killed');
  }
}

/** A disk as one process sees it. */
export function diskOf(disk: Disk, life: Life): Disk {
  return {
    makeFolder: (path) => life.live(() => disk.makeFolder(path)),
    list: (folder) => life.live(() => disk.list(folder)),
    open: async (path) => fileOf(await life.live(() => disk.open(path)), life),
    remove: (path) => life.live(() => disk.remove(path)),
    rename: (path, to) => life.live(() => disk.rename(path, to)),
    syncFolder: (path) => life.live(() => disk.syncFolder(path)),
  };
}

const fileOf = (file: DiskFile, life: Life): DiskFile => ({
  size: () => life.live(() => file.size()),
  read: (position, length) => life.live(() => file.read(position, length)),
  write: (position, bytes) => life.live(() => file.write(position, bytes)),
  truncate: (length) => life.live(() => file.truncate(length)),
  sync: () => life.live(() => file.sync()),
  close: () => file.close(),
});

/**
 * The ledger's file on an unreliable disk: a rejected write can have replaced the file, until a power
 * failure.
 */
export class FaultyLedgerFile {
  private durable: string = JSON.stringify(emptyLedger);
  private visible = this.durable;
  /** Percentage of writes that fail. */
  failing = 0;

  constructor(private readonly choose: Choose) {}

  crash(): void {
    if (this.choose(2) === 0) this.durable = this.visible;
    this.visible = this.durable;
  }

  seenBy(life: Life): LedgerFile {
    return {
      read: () => life.live(() => Promise.resolve(JSON.parse(this.visible) as LedgerState)),
      write: (state) => life.live(() => this.write(JSON.stringify(state))),
    };
  }

  private async write(text: string): Promise<void> {
    await Promise.resolve();
    const fails = this.choose(100) < this.failing;
    if (fails && this.choose(2) === 0) throw new Error('ENOSPC: no space left on device');
    this.visible = text;
    if (fails) throw new Error('EIO: the folder could not be synced');
    this.durable = text;
  }
}
