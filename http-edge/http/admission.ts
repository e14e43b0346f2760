import type { ApiKey } from '../../schemas/generated/api-key.js';
import type { Scope } from '../keys/scopes.js';
import type { RequestLog } from '../ports.js';
import type { Authentication } from './authentication.js';
import type { Exchange } from '../../runtime/http/exchange.js';
import { ClientGone, outage } from '../../runtime/http/failures.js';
import { Problem, retryAfter } from '../../runtime/http/problem.js';
import type { SlotOwner, WorkSlots } from '../../runtime/http/work-slots.js';
import type { RateLimit } from './rate-limit.js';

const noHeaders: readonly string[] = [];

export interface Admitted extends Entrant {
  readonly key: ApiKey;
}

/** The slot of a request that appends. */
interface Slot {
  /** Gives the slot back before the exchange is over, when the request only has to wait. */
  readonly leave: () => void;
}

/** A request that has been admitted to append. */
export interface AdmittedWork extends Admitted, Slot {}

/** The same, for an API key or for a session; `key_id` is what the records name. */
export interface Worker extends Slot {
  readonly key: Pick<ApiKey, 'workspace' | 'key_id'>;
  readonly headers: readonly string[];
}

/** A request that has been admitted to read. */
export interface Entrant {
  readonly key: Pick<ApiKey, 'workspace'>;
  /** Who made the request, for the record of what an admin has done. */
  readonly who: string;
  /** The answer's headers about the rate limit; empty if there is no limit. */
  readonly headers: readonly string[];
}

/** Admits requests that have one of the scopes: by an API key, or by a session of the dashboard. */
export interface Gate {
  admit(exchange: Exchange, scopes: readonly Scope[]): Entrant;
  /** Keeps a request's session in force after the request gave the session's own key a new secret. */
  keepAfterRotation?(exchange: Exchange, key: ApiKey): Promise<void>;
}

/** The same for requests that append. */
export interface WorkGate {
  admitWork(exchange: Exchange, scopes: readonly Scope[]): Promise<Worker>;
}

/**
 * Admits a request that has a valid key with the scope and is within its rate. A request that appends is
 * admitted only while there is room for more work.
 */
export class Admission implements Gate, WorkGate {
  constructor(
    private readonly authentication: Authentication,
    private readonly rateLimit: RateLimit | undefined,
    private readonly log: Pick<RequestLog, 'pressure'>,
    private readonly slots: WorkSlots,
  ) {}

  /** `token` is a key that was not in the Authorization header. */
  admit(exchange: Exchange, scopes: readonly Scope[], token?: string): Admitted {
    const key =
      token === undefined
        ? this.authentication.authenticate(exchange.request.headers.authorization, scopes)
        : this.authentication.authenticateToken(token, scopes);
    exchange.owner = key.key_id;
    exchange.workspace = key.workspace;
    return { key, who: `key ${key.key_id}`, headers: this.rateLimit?.take(key.key_id) ?? noHeaders };
  }

  /** Charges a read that another gate has admitted to the rate of `owner`; returns the answer's headers. */
  admitReadOf(owner: string): readonly string[] {
    return this.rateLimit?.take(owner) ?? noHeaders;
  }

  /** Charges the parts of a request after the first. A key over its rate has to wait only next time. */
  charge({ key, who }: Admitted, more: number): Admitted {
    return { key, who, headers: this.rateLimit?.spend(key.key_id, more) ?? noHeaders };
  }

  /**
   * The same for a request that appends. It is refused before its body is read while the buffer is full, or
   * if no slot becomes free in time. So admitted requests finish in time, and a client that ignores the
   * refusals is slowed down.
   */
  async admitWork(exchange: Exchange, scopes: readonly Scope[], token?: string): Promise<AdmittedWork> {
    const admitted = this.admit(exchange, scopes, token);
    return { ...admitted, leave: await this.takeSlotUnlessPressed(exchange, admitted.key.key_id) };
  }

  /** The same for a request that another gate has admitted: `owner` has a rate and slots, like a key. */
  async admitWorkOf(exchange: Exchange, owner: string): Promise<Slot & Pick<Worker, 'headers'>> {
    exchange.owner = owner;
    const headers = this.rateLimit?.take(owner) ?? noHeaders;
    return { headers, leave: await this.takeSlotUnlessPressed(exchange, owner) };
  }

  private async takeSlotUnlessPressed(exchange: Exchange, owner: string): Promise<() => void> {
    const { pressure } = this.log;
    if (pressure.hard) throw outage();
    if (pressure.soft) throw overloaded();
    return this.takeSlot(exchange, { owner, group: exchange.workspace ?? owner });
  }

  private async takeSlot({ response }: Exchange, of: SlotOwner): Promise<() => void> {
    if (!(await this.slots.take(of))) throw overloaded();
    let isTaken = true;
    const leave = (): void => {
      if (isTaken) this.slots.give(of);
      isTaken = false;
    };
    if (response.destroyed) {
      leave();
      throw new ClientGone();
    }
    response.once('close', leave);
    return leave;
  }
}

const overloaded = (): Problem =>
  new Problem('overloaded', 'More requests are coming in than can be stored. Try again in a second.', {
    headers: retryAfter(1),
  });
