import { failureOfThrown, type CallFailure } from './call-failure.js';
import { identityPath, parseIdentity } from './identity.js';
import type { ClusterIdentity } from './section.js';
import type { WatchOptions } from './watch-options.js';

/** How long an answer is valid: the cluster behind an endpoint may change at any time. */
const keptMs = 5_000;

/** Asks which cluster it is, and knows whether it may be asked for anything but the sections of its watch. */
export class IdentityProbe {
  private readonly options: Pick<WatchOptions, 'client' | 'readClocks'>;
  private answer: { readonly cluster: ClusterIdentity; readonly at: number } | undefined;
  private askedAt = -Infinity;
  private isHalted = false;

  constructor(options: Pick<WatchOptions, 'client' | 'readClocks'>) {
    this.options = options;
  }

  /** The identity by the last answer; null where there was none, or it is no longer valid. */
  get known(): ClusterIdentity | null {
    return this.answer?.cluster ?? null;
  }

  /**
   * Whether only sections may ask, at the pace that they have after such a failure. After any failure nobody asks again
   * at once.
   */
  get isLeftAlone(): boolean {
    return this.isHalted || (this.answer === undefined && this.since(this.askedAt) < keptMs);
  }

  /** Rejects with CallFailure. */
  async current(signal: AbortSignal): Promise<ClusterIdentity> {
    const { client, readClocks } = this.options;
    if (this.answer !== undefined && this.since(this.answer.at) < keptMs) return this.answer.cluster;
    this.answer = undefined;
    try {
      const cluster = parseIdentity(await client.get(identityPath, { signal }));
      this.answer = { cluster, at: readClocks().elapsed };
      this.isHalted = false;
      return cluster;
    } catch (thrown) {
      throw failureOfThrown(thrown);
    } finally {
      this.askedAt = readClocks().elapsed;
    }
  }

  /** After a failure: others may ask again only if it may be over by the next interval. */
  failed({ kind }: CallFailure): void {
    this.answer = undefined;
    this.isHalted = kind !== 'broken' && kind !== 'no_master';
  }

  private since(at: number): number {
    return this.options.readClocks().elapsed - at;
  }
}
