import type { IncomingMessage } from 'node:http';
import { Problem, retryAfter } from '../../runtime/http/problem.js';

const mostFailures = 10;
const perMs = 60_000;
const mostAddresses = 10_000;

/** Counts failed sign-ins by the address of the client: after ten in a minute it must wait. */
export class FailedAttempts {
  private readonly failures = new Map<string, { count: number; readonly since: number }>();

  /** `clock`: milliseconds since 1970. */
  constructor(
    private readonly clock: () => number,
    private readonly addressOf: (request: IncomingMessage) => string,
  ) {}

  /**
   * Returns what `signIn` returns, and counts its refusals. Rejects with the problem `rate-limited` after too many of
   * them.
   */
  async count<Session>(request: IncomingMessage, signIn: () => Promise<Session>): Promise<Session> {
    const address = this.addressOf(request);
    this.requireRoom(address);
    try {
      return await signIn();
    } catch (error) {
      if (error instanceof Problem && error.kind !== 'unavailable') this.note(address);
      throw error;
    }
  }

  private requireRoom(address: string): void {
    const failed = this.recent(address);
    if (failed === undefined || failed.count < mostFailures) return;
    throw new Problem('rate-limited', 'Signing in has failed too often. Try again in a minute.', {
      headers: retryAfter((failed.since + perMs - this.clock()) / 1_000),
    });
  }

  private note(address: string): void {
    const failed = this.recent(address);
    if (failed !== undefined) {
      failed.count += 1;
      return;
    }
    // The oldest are removed first: a Map keeps the order of insertion.
    if (this.failures.size >= mostAddresses)
      for (const oldest of this.failures.keys()) {
        this.failures.delete(oldest);
        break;
      }
    this.failures.set(address, { count: 1, since: this.clock() });
  }

  private recent(address: string): { count: number; readonly since: number } | undefined {
    const failed = this.failures.get(address);
    if (failed === undefined || this.clock() - failed.since < perMs) return failed;
    this.failures.delete(address);
    return undefined;
  }
}
