import type { Logger } from '../../runtime/logging.js';
import type { Dataset } from '../component.js';
import type { Sender } from '../spool/sender.js';

export interface DatasetStatus {
  /** `held back`: nothing at the server's address accepts this kind of data, or not with this key. */
  readonly state: 'idle' | 'sending' | 'waiting to try again' | 'held back';
  readonly held_back_since: string | null;
  readonly unsent_bytes: number;
  /** Bytes of the spool that the disk has lost. */
  readonly lost_bytes: number;
  readonly items_arrived: number;
  readonly items_rejected: number;
  readonly items_quarantined: number;
  /** Rejected by the server, and not written to disk either. */
  readonly items_lost: number;
  readonly last_quarantined: { readonly at: string; readonly items: number; readonly reason: string } | null;
  /** The size of the quarantine's folder, including files of earlier processes. */
  readonly quarantined_bytes: number;
  readonly last_arrival_at: string | null;
  readonly last_error: { readonly at: string; readonly reason: string } | null;
  readonly next_try_at: string | null;
}

const isoNow = (): string => new Date().toISOString();

/** The progress of a dataset: for GET /status, and for the log, which gets changes and not each try. */
export class Progress {
  state: DatasetStatus['state'] = 'idle';
  private arrivedItems = 0;
  private rejectedItems = 0;
  private quarantinedItems = 0;
  private lostItems = 0;
  private lastArrival: string | null = null;
  private lastError: DatasetStatus['last_error'] = null;
  private nextTry: string | null = null;
  private failing = false;
  private heldBackSince: string | null = null;
  private lastQuarantined: DatasetStatus['last_quarantined'] = null;

  constructor(
    private readonly dataset: Dataset,
    private readonly logger: Logger,
  ) {}

  waits(reason: string, pauseMs: number, heldBack = false): void {
    const { dataset } = this;
    if (!this.failing || this.lastError?.reason !== reason)
      this.logger.warn(
        { event: 'batch-not-sent', dataset, reason },
        'a batch did not get through; it stays in the spool',
      );
    this.failing = true;
    this.heldBackSince = heldBack ? (this.heldBackSince ?? isoNow()) : null;
    this.state = heldBack ? 'held back' : 'waiting to try again';
    this.lastError = { at: isoNow(), reason };
    this.nextTry = new Date(Date.now() + pauseMs).toISOString();
  }

  sends(): void {
    this.state = 'sending';
    this.nextTry = null;
  }

  getsThrough(): void {
    if (this.failing)
      this.logger.info({ event: 'batches-sent-again', dataset: this.dataset }, 'batches get through again');
    this.failing = false;
    this.heldBackSince = null;
  }

  arrived(items: number): void {
    this.arrivedItems += items;
    this.lastArrival = isoNow();
  }

  rejected(items: number, batch: string, reason: string): void {
    this.rejectedItems += items;
    this.refused('the server does not accept some items of a batch', items, batch, reason);
  }

  quarantined(items: number, batch: string, reason: string): void {
    this.quarantinedItems += items;
    this.lastQuarantined = { at: isoNow(), items, reason };
    this.refused('the server will never accept these items; they were quarantined', items, batch, reason);
  }

  lost(items: number, batch: string, reason: string): void {
    this.lostItems += items;
    this.lastError = { at: isoNow(), reason };
    this.logger.error(
      { event: 'items-lost', dataset: this.dataset, items, batch, cause: reason },
      'items are lost',
    );
  }

  status(
    { unsentBytes, lostBytes }: Pick<Sender, 'unsentBytes' | 'lostBytes'>,
    quarantinedBytes: number,
  ): DatasetStatus {
    return {
      state: this.state,
      held_back_since: this.heldBackSince,
      unsent_bytes: unsentBytes,
      lost_bytes: lostBytes,
      items_arrived: this.arrivedItems,
      items_rejected: this.rejectedItems,
      items_quarantined: this.quarantinedItems,
      items_lost: this.lostItems,
      last_quarantined: this.lastQuarantined,
      quarantined_bytes: quarantinedBytes,
      last_arrival_at: this.lastArrival,
      last_error: this.lastError,
      next_try_at: this.nextTry,
    };
  }

  private refused(what: string, items: number, batch: string, reason: string): void {
    this.lastError = { at: isoNow(), reason };
    this.logger.warn({ event: 'items-quarantined', dataset: this.dataset, items, batch, reason }, what);
  }
}
