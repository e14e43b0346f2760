import { Problem, retryAfter } from '../../runtime/http/problem.js';

export interface RateLimitOptions {
  readonly perSecond: number;
  readonly burst: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Sessions come and go. From this many buckets on, buckets that are full again are dropped. */
const manyBuckets = 10_000;

/** A token bucket for each key, and for each session of the dashboard, on this edge. */
export class RateLimit {
  private readonly buckets = new Map<string, Bucket>();
  private readonly burst: number;
  private dropAt = manyBuckets;

  constructor(private readonly options: RateLimitOptions) {
    this.burst = Math.max(1, options.burst > 0 ? options.burst : options.perSecond);
  }

  /** Takes one token, or throws. The headers tell the owner's remaining rate. */
  take(owner: string): readonly string[] {
    const bucket = this.filled(owner);
    if (bucket.tokens < 1) {
      const wait = (1 - bucket.tokens) / this.options.perSecond;
      throw new Problem(
        'rate-limited',
        `An API key or a session may make ${this.options.perSecond} requests per second.`,
        {
          headers: [...retryAfter(wait), ...this.headers(bucket)],
        },
      );
    }
    bucket.tokens -= 1;
    return this.headers(bucket);
  }

  /**
   * Takes this many tokens, even if the bucket has fewer: a request of many parts can be larger than the
   * burst. Later requests wait until its tokens are paid back.
   */
  spend(owner: string, tokens: number): readonly string[] {
    const bucket = this.filled(owner);
    bucket.tokens -= tokens;
    return this.headers(bucket);
  }

  private filled(owner: string): Bucket {
    const now = this.options.clock();
    let bucket = this.buckets.get(owner);
    if (bucket === undefined) {
      if (this.buckets.size >= this.dropAt) this.dropFull(now);
      bucket = { tokens: this.burst, filledAt: now };
      this.buckets.set(owner, bucket);
    }
    bucket.tokens = this.tokensIn(bucket, now);
    bucket.filledAt = now;
    return bucket;
  }

  private tokensIn({ tokens, filledAt }: Bucket, now: number): number {
    const earned = (Math.max(0, now - filledAt) / 1_000) * this.options.perSecond;
    return Math.min(this.burst, tokens + earned);
  }

  /** Dropping a full bucket has no effect: a new one starts full. */
  private dropFull(now: number): void {
    for (const [owner, bucket] of this.buckets)
      if (this.tokensIn(bucket, now) >= this.burst) this.buckets.delete(owner);
    this.dropAt = Math.max(manyBuckets, 2 * this.buckets.size);
  }

  /** Both forms are in use: three plain headers, and the structured pair of the newer drafts. */
  private headers(bucket: Bucket): readonly string[] {
    const remaining = String(Math.max(0, Math.floor(bucket.tokens)));
    const full = String(Math.max(0, Math.ceil((this.burst - bucket.tokens) / this.options.perSecond)));
    const window = String(Math.max(1, Math.ceil(this.burst / this.options.perSecond)));
    const quota = String(Math.floor(this.burst));
    return [
      ...['ratelimit-limit', quota, 'ratelimit-remaining', remaining, 'ratelimit-reset', full],
      ...['ratelimit-policy', `"key";q=${quota};w=${window}`, 'ratelimit', `"key";r=${remaining};t=${full}`],
    ];
  }
}
