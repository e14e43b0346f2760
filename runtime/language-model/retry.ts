/** Bounds of the pauses between attempts, in milliseconds. */
export interface RetryOptions {
  readonly baseMs: number;
  readonly capMs: number;
}

/**
 * The pause before attempt `attempt + 1` (the first attempt is 0): full jitter, drawn evenly from 0 up to a bound that
 * doubles, so that callers that failed together don't return together.
 */
export function pauseAfter(attempt: number, options: RetryOptions, random: number): number {
  return random * Math.min(options.capMs, options.baseMs * 2 ** Math.min(attempt, 30));
}

/**
 * The pause of a `Retry-After` header, in milliseconds from now: seconds or an HTTP date; undefined if it is
 * neither.
 */
export function retryAfterMs(header: string | null | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}(\.\d{1,6})?$/.test(text)) return Number(text) * 1_000;
  // An HTTP date starts with a weekday; Date.parse alone accepts far more than that.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/i.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
