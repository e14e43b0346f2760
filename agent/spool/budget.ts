import { TelltaleError } from '../../runtime/errors.js';

/** How many bytes all files of a spool may take together. */
export class Budget {
  private taken = 0;

  constructor(
    private readonly folder: string,
    private limit: number,
  ) {}

  get used(): number {
    return this.taken;
  }

  get bytes(): number {
    return this.limit;
  }

  /** A smaller limit than what is taken already lets nothing in until it has emptied. */
  resize(limit: number): void {
    this.limit = limit;
  }

  /** Throws SPOOL_FULL. */
  take(bytes: number): void {
    if (this.taken + bytes > this.limit)
      throw new TelltaleError('SPOOL_FULL', { folder: this.folder, bytes: this.limit });
    this.taken += bytes;
  }

  /** What is on disk already counts, whatever the limit. */
  count(bytes: number): void {
    this.taken += bytes;
  }

  give(bytes: number): void {
    this.taken -= bytes;
  }
}
