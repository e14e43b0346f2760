import { Batch, type PendingAppend } from './append-batch.js';
import type { EncodedRecord } from './records.js';

/** A send is never split over requests; brokers take a megabyte a partition where nothing else is said. */
const largestBatch = 768 * 1024;

/** Records that wait to be sent, in batches: each is one request. */
export class BatchQueue {
  private readonly full: Batch[] = [];
  /** Whose records wait for a leader. */
  private readonly held: Batch[] = [];
  private open = new Batch();
  /** The open batch has waited for company long enough. */
  private isOver = false;

  /** `enough` bytes are not kept waiting for company. */
  constructor(private readonly enough: number) {}

  add(owner: PendingAppend, record: EncodedRecord, bytes: number): void {
    if (!this.open.takes(bytes, largestBatch)) this.full.push(this.takeOpen());
    this.open.add(owner, record, bytes);
  }

  get isEmpty(): boolean {
    return this.open.size === 0 && this.full.length === 0;
  }

  /** Whether a batch is to be sent now; others wait for company. */
  get isDue(): boolean {
    return this.full.length > 0 || (this.open.size > 0 && (this.isOver || this.open.bytes >= this.enough));
  }

  /** The records that are here now wait no longer. */
  endWaiting(): void {
    this.isOver = true;
  }

  takeDue(): Batch | undefined {
    return this.full.shift() ?? (this.isDue ? this.takeOpen() : undefined);
  }

  /** Keeps back those records of the batch that wait for a leader. */
  hold(batch: Batch, waits: (record: EncodedRecord) => boolean): void {
    const held = batch.split(waits);
    if (held.size > 0) this.held.push(held);
  }

  /** What was held is sent first. */
  releaseHeld(): void {
    this.full.unshift(...this.held.splice(0));
  }

  /** Drops what is held for nobody any more; returns its bytes. */
  dropSettled(): number {
    return this.held.reduce((bytes, batch) => bytes + batch.dropSettled(), 0);
  }

  private takeOpen(): Batch {
    const taken = this.open;
    this.open = new Batch();
    this.isOver = false;
    return taken;
  }
}
