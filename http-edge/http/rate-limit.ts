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

/**
 * One token bucket for each key, on this edge. There are as many buckets as keys were used, which the keys topic
 * bounds.
 */
export class RateLimit {
  private readonly buckets = new Map<string, Bucket>();
  private readonly burst: number;

  constructor(private readonly options: RateLimitOptions) {
    this.burst = Math.max(1, options.burst > 0 ? options.burst : options.perSecond);
  }

  /** Takes one token, or throws. The headers tell the key's remaining rate. */
  take(keyId: string): readonly string[] {
    const bucket = this.filled(keyId);
    if (bucket.tokens < 1) {
      const wait = (1 - bucket.tokens) / this.options.perSecond;
      throw new Problem('rate-limited', `The API key may make ${this.options.perSecond} requests a second.`, {
        headers: [...retryAfter(wait), ...this.headers(bucket)],
      });
    }
    bucket.tokens -= 1;
    return this.headers(bucket);
  }

  /**
   * Takes this many tokens, also where the bucket has fewer: a request of many parts may be larger than the burst, and
   * later requests wait until its tokens are paid back.
   */
  spend(keyId: string, tokens: number): readonly string[] {
    const bucket = this.filled(keyId);
    bucket.tokens -= tokens;
    return this.headers(bucket);
  }

  private filled(keyId: string): Bucket {
    const now = this.options.clock();
    let bucket = this.buckets.get(keyId);
    if (bucket === undefined) {
      bucket = { tokens: this.burst, filledAt: now };
      this.buckets.set(keyId, bucket);
    }
    const earned = (Math.max(0, now - bucket.filledAt) / 1_000) * this.options.perSecond;
    bucket.tokens = Math.min(this.burst, bucket.tokens + earned);
    bucket.filledAt = now;
    return bucket;
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
