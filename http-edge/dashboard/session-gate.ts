import type { ApiKey } from '../../schemas/generated/api-key.js';
import type { DashboardSession } from '../../schemas/generated/dashboard-session.js';
import type { Exchange } from '../../runtime/http/exchange.js';
import { Problem } from '../../runtime/http/problem.js';
import type { Admission, Entrant, Gate, WorkGate, Worker } from '../http/admission.js';
import type { Scope } from '../keys/scopes.js';
import { requireOwnPage } from './own-page.js';
import type { SessionBook } from './session-book.js';
import { tokenOf } from './session-cookie.js';

const scopesOf: Readonly<Record<DashboardSession['role'], readonly Scope[]>> = {
  viewer: ['read'],
  admin: ['read', 'admin', 'metrics'],
};

/**
 * People of an identity provider have a name. Others are named by the key that they signed in with or, if
 * they used a link, by their session.
 */
const nameOf = ({ subject, key_id: keyId, id }: DashboardSession): string =>
  subject ?? (keyId === null ? `dashboard session ${id.slice(0, 8)}` : `key ${keyId}`);

/** Admits people by their session alone: an API key opens no route of the dashboard. */
export class SessionGate implements Gate, WorkGate {
  constructor(
    private readonly book: SessionBook,
    private readonly admission: Pick<Admission, 'admitReadOf' | 'admitWorkOf'>,
  ) {}

  /** A session has its own rate: pages don't use up that of the key that the session started with. */
  admit(exchange: Exchange, scopes: readonly Scope[]): Entrant {
    const session = this.requireScope(exchange, scopes);
    const headers = this.admission.admitReadOf(`session:${session.id}`);
    return { key: { workspace: session.workspace }, who: nameOf(session), headers };
  }

  async keepAfterRotation(exchange: Exchange, key: ApiKey): Promise<void> {
    const token = tokenOf(exchange.request.headers.cookie);
    if (token !== undefined) await this.book.keepAfterRotation(token, key);
  }

  /** Records name a key. Those of a session without one name the dashboard. */
  async admitWork(exchange: Exchange, scopes: readonly Scope[]): Promise<Worker> {
    const { workspace, key_id: keyId } = this.requireScope(exchange, scopes);
    const owner = keyId ?? `dashboard:${workspace}`;
    return {
      key: { workspace, key_id: keyId ?? 'dashboard' },
      ...(await this.admission.admitWorkOf(exchange, owner)),
    };
  }

  /** The scopes of a session: those of its role, and scoring if the key that it started with has it. */
  scopesOf(session: DashboardSession): readonly Scope[] {
    const own = scopesOf[session.role];
    return own.includes('metrics') || !this.book.mayScore(session) ? own : [...own, 'metrics'];
  }

  private requireScope(exchange: Exchange, scopes: readonly Scope[]): DashboardSession {
    const session = this.require(exchange);
    const has = this.scopesOf(session);
    if (!scopes.some((scope) => has.includes(scope)))
      throw new Problem('forbidden', 'You are signed in as a viewer. This requires an admin.');
    exchange.workspace = session.workspace;
    return session;
  }

  /** The session of a request from the dashboard's own page; undefined if nobody is signed in. */
  find(exchange: Exchange): DashboardSession | undefined {
    requireOwnPage(exchange.request);
    const token = tokenOf(exchange.request.headers.cookie);
    return token === undefined ? undefined : this.book.find(token);
  }

  require(exchange: Exchange): DashboardSession {
    const session = this.find(exchange);
    if (session === undefined)
      throw new Problem('unauthorized', 'You are not signed in, or the session has ended.');
    return session;
  }
}
