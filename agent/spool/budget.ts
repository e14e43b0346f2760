import { TelltaleError } from '../../runtime/errors.js';

/** A share of a budget, for one of its users. */
export interface Share {
  readonly used: number;
  /** Throws SPOOL_FULL. */
  take(bytes: number): void;
  /** Counts bytes that are on disk already, whatever the limit. */
  count(bytes: number): void;
  give(bytes: number): void;
}

/** The part of the whole that each share is guaranteed. */
const guaranteed = 0.1;

/**
 * How many bytes all files of a spool may take together. A tenth is kept free for each share that has not
 * used it. So a dataset that can't be sent takes the rest, but does not block the others.
 */
export class Budget {
  private readonly shares: OneShare[] = [];

  constructor(
    private readonly folder: string,
    private limit: number,
  ) {}

  get used(): number {
    return this.shares.reduce((sum, { used }) => sum + used, 0);
  }

  get bytes(): number {
    return this.limit;
  }

  /** The bytes that are guaranteed to each share. */
  get guaranteedBytes(): number {
    return Math.floor(this.limit * guaranteed);
  }

  /** If the new limit is below what is used, nothing more is accepted until enough is released. */
  resize(limit: number): void {
    this.limit = limit;
  }

  /** Adds a share. There can be up to ten. */
  share(): Share {
    const share = new OneShare((own, bytes) => this.check(own, bytes));
    this.shares.push(share);
    return share;
  }

  private check(own: Share, bytes: number): void {
    const least = this.guaranteedBytes;
    const spokenFor = this.shares.reduce(
      (sum, share) => sum + Math.max(least, share === own ? share.used + bytes : share.used),
      0,
    );
    if (spokenFor > this.limit)
      throw new TelltaleError('SPOOL_FULL', { folder: this.folder, bytes: this.limit });
  }
}

class OneShare implements Share {
  used = 0;

  constructor(private readonly check: (own: Share, bytes: number) => void) {}

  take(bytes: number): void {
    this.check(this, bytes);
    this.used += bytes;
  }

  count(bytes: number): void {
    this.used += bytes;
  }

  give(bytes: number): void {
    this.used -= bytes;
  }
}
