import type { IncomingMessage } from 'node:http';
import { Problem, retryAfter } from '../../runtime/http/problem.js';

const mostFailures = 10;
const perMs = 60_000;
const mostAddresses = 10_000;

interface Failures {
  count: number;
  /** The time of the first failure, in milliseconds since 1970. */
  readonly since: number;
}

/** Counts failed sign-ins per client address. After ten in a minute, the client must wait. */
export class FailedAttempts {
  private readonly failures = new Map<string, Failures>();

  /** `clock`: milliseconds since 1970. */
  constructor(
    private readonly clock: () => number,
    private readonly addressOf: (request: IncomingMessage) => string,
  ) {}

  /**
   * Returns what `signIn` returns, and counts its refusals. Rejects with the problem `rate-limited` after too
   * many of them. An attempt counts as a failure until it is known not to be one, so no more than ten
   * attempts run at once.
   */
  async count<Session>(request: IncomingMessage, signIn: () => Promise<Session>): Promise<Session> {
    const failures = this.recentOf(this.addressOf(request));
    this.requireRoom(failures);
    failures.count += 1;
    let isFailure = false;
    try {
      return await signIn();
    } catch (error) {
      isFailure = error instanceof Problem && error.kind !== 'unavailable';
      throw error;
    } finally {
      if (!isFailure) failures.count -= 1;
    }
  }

  private requireRoom({ count, since }: Failures): void {
    if (count < mostFailures) return;
    throw new Problem('rate-limited', 'Signing in has failed too often. Try again in a minute.', {
      headers: retryAfter((since + perMs - this.clock()) / 1_000),
    });
  }

  private recentOf(address: string): Failures {
    const known = this.failures.get(address);
    if (known !== undefined && this.clock() - known.since < perMs) return known;
    this.failures.delete(address);
    // A Map keeps the order of insertion, so its first key is the oldest.
    if (this.failures.size >= mostAddresses)
      for (const oldest of this.failures.keys()) {
        this.failures.delete(oldest);
        break;
      }
    const failures = { count: 0, since: this.clock() };
    this.failures.set(address, failures);
    return failures;
  }
}
