import type { ApiKey } from '../../schemas/generated/api-key.js';
import type { Scope } from '../keys/scopes.js';
import type { RequestLog } from '../ports.js';
import type { Authentication } from './authentication.js';
import type { Exchange } from '../../runtime/http/exchange.js';
import { ClientGone, outage } from '../../runtime/http/failures.js';
import { Problem, retryAfter } from '../../runtime/http/problem.js';
import type { WorkSlots } from '../../runtime/http/work-slots.js';
import type { RateLimit } from './rate-limit.js';

const noHeaders: readonly string[] = [];

export interface Admitted {
  readonly key: ApiKey;
  /** What the answer says of the rate limit; empty where there is none. */
  readonly headers: readonly string[];
}

/** A slot among the requests that append. */
interface Slot {
  /** Gives the slot back before the exchange is over: what is left is to wait. */
  readonly leave: () => void;
}

/** Who has come in to append. */
export interface AdmittedWork extends Admitted, Slot {}

/** The same, by an API key or by a session; `key_id` is what the records name. */
export interface Worker extends Slot {
  readonly key: Pick<ApiKey, 'workspace' | 'key_id'>;
  readonly headers: readonly string[];
}

/** Who has come in, as far as what only reads needs to know. */
export interface Entrant {
  readonly key: Pick<ApiKey, 'workspace'>;
  /** What the answer says of the rate limit; empty where there is none. */
  readonly headers: readonly string[];
}

/** Lets in who has one of the scopes: by an API key, or by a session of the dashboard. */
export interface Gate {
  admit(exchange: Exchange, scopes: readonly Scope[]): Entrant;
}

/** The same for what appends. */
export interface WorkGate {
  admitWork(exchange: Exchange, scopes: readonly Scope[]): Promise<Worker>;
}

/** Who may come in: a valid key with the scope, under its rate, and only while there is room for more work. */
export class Admission implements Gate, WorkGate {
  constructor(
    private readonly authentication: Authentication,
    private readonly rateLimit: RateLimit | undefined,
    private readonly log: Pick<RequestLog, 'pressure'>,
    private readonly slots: WorkSlots,
  ) {}

  /** The key of the Authorization header, or `token` where it came in another place. */
  admit(exchange: Exchange, scopes: readonly Scope[], token?: string): Admitted {
    const key =
      token === undefined
        ? this.authentication.authenticate(exchange.request.headers.authorization, scopes)
        : this.authentication.authenticateToken(token, scopes);
    exchange.owner = key.key_id;
    exchange.workspace = key.workspace;
    return { key, headers: this.rateLimit?.take(key.key_id) ?? noHeaders };
  }

  /** Takes what a request of many parts costs beyond one: a key over its rate is only asked to wait afterwards. */
  charge({ key }: Admitted, more: number): Admitted {
    return { key, headers: this.rateLimit?.spend(key.key_id, more) ?? noHeaders };
  }

  /**
   * The same for a request that appends. It is turned away before its body is read while the buffer is full, and where
   * it has waited in vain for its turn: so what was admitted is done in time, and a client that ignores the refusals is
   * slowed down.
   */
  async admitWork(exchange: Exchange, scopes: readonly Scope[], token?: string): Promise<AdmittedWork> {
    const admitted = this.admit(exchange, scopes, token);
    return { ...admitted, leave: await this.takeSlotUnlessPressed(exchange, admitted.key.key_id) };
  }

  /** The same for somebody whom another gate let in: `owner` has a rate and slots as a key has. */
  async admitWorkOf(exchange: Exchange, owner: string): Promise<Slot & Pick<Worker, 'headers'>> {
    exchange.owner = owner;
    const headers = this.rateLimit?.take(owner) ?? noHeaders;
    return { headers, leave: await this.takeSlotUnlessPressed(exchange, owner) };
  }

  private async takeSlotUnlessPressed(exchange: Exchange, owner: string): Promise<() => void> {
    const { pressure } = this.log;
    if (pressure.hard) throw outage();
    if (pressure.soft) throw overloaded();
    return this.takeSlot(exchange, owner);
  }

  private async takeSlot({ response }: Exchange, keyId: string): Promise<() => void> {
    if (!(await this.slots.take(keyId))) throw overloaded();
    let isTaken = true;
    const leave = (): void => {
      if (isTaken) this.slots.give(keyId);
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
