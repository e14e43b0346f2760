import { reasonOf } from '../../runtime/errors.js';
import type { Logger } from '../../runtime/logging.js';

/** An edge that failed is asked last, or not at all, for this long. */
const silenceMs = 5_000;

/** The edges that failed to answer recently. */
export class SilentPeers {
  /** When each of them last failed, by a monotonic clock; forgotten once the edge answers. */
  private readonly since = new Map<string, number>();

  constructor(private readonly logger: Logger) {}

  isSilent(url: string): boolean {
    return (this.since.get(url) ?? -Infinity) > performance.now() - silenceMs;
  }

  reached(url: string): void {
    if (this.since.delete(url)) this.logger.info({ event: 'peer-back', url }, 'an edge answers again');
  }

  notReached(url: string, error: unknown): void {
    const isKnown = this.since.has(url);
    this.since.set(url, performance.now());
    if (isKnown) return;
    this.logger.warn({ event: 'peer-silent', url, reason: reasonOf(error) }, 'an edge does not answer');
  }
}
