import { TelltaleError } from '../../runtime/errors.js';

/** A part of a budget, for one of those who live on it. */
export interface Share {
  readonly used: number;
  /** Throws SPOOL_FULL. */
  take(bytes: number): void;
  /** What is on disk already counts, whatever the limit. */
  count(bytes: number): void;
  give(bytes: number): void;
}

/** Of the whole: what nobody can take from a share. */
const guaranteed = 0.1;

/**
 * How many bytes all files of a spool may take together. Of them a tenth is kept free for each share that has not used
 * it: one kind of data that does not get through takes what is left, and starves no other.
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

  /** What each share has for itself. */
  get guaranteedBytes(): number {
    return Math.floor(this.limit * guaranteed);
  }

  /** A smaller limit than what is taken already lets nothing in until it has emptied. */
  resize(limit: number): void {
    this.limit = limit;
  }

  /** For up to ten of them. */
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
