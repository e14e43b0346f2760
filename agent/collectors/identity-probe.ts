import { failureOfThrown, type CallFailure } from './call-failure.js';
import { identityPath, parseIdentity } from './identity.js';
import type { ClusterIdentity } from './section.js';
import type { WatchOptions } from './watch-options.js';

/** How long an answer is valid: the cluster behind an endpoint can change at any time. */
const keptMs = 5_000;

/** Asks which cluster it is, and knows whether anything but the sections of its watch may ask it. */
export class IdentityProbe {
  private readonly options: Pick<WatchOptions, 'client' | 'readClocks'>;
  private answer: { readonly cluster: ClusterIdentity; readonly at: number } | undefined;
  private askedAt = -Infinity;
  private isHalted = false;

  constructor(options: Pick<WatchOptions, 'client' | 'readClocks'>) {
    this.options = options;
  }

  /** The identity in the last answer; null if there was none, or a failure has come after it. */
  get known(): ClusterIdentity | null {
    return this.answer?.cluster ?? null;
  }

  /**
   * Whether only the sections may ask now. After failures that last, they alone try again, at their own pace.
   * After any failure, no other component asks again at once.
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

  /** Records a failure: others may ask again only if the failure might be over by the next interval. */
  failed({ kind }: CallFailure): void {
    this.answer = undefined;
    this.isHalted = kind !== 'broken' && kind !== 'no_master';
  }

  private since(at: number): number {
    return this.options.readClocks().elapsed - at;
  }
}
