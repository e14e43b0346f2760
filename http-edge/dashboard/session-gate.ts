import type { DashboardSession } from '../../schemas/generated/dashboard-session.js';
import type { Exchange } from '../../runtime/http/exchange.js';
import { Problem } from '../../runtime/http/problem.js';
import type { Entrant, Gate } from '../http/admission.js';
import type { Scope } from '../keys/scopes.js';
import { requireOwnPage } from './own-page.js';
import type { SessionBook } from './session-book.js';
import { tokenOf } from './session-cookie.js';

const scopesOf: Readonly<Record<DashboardSession['role'], readonly Scope[]>> = {
  viewer: ['read'],
  admin: ['read', 'admin'],
};

/** Lets people in by their session, and by nothing else: an API key opens no route of the dashboard. */
export class SessionGate implements Gate {
  constructor(private readonly book: SessionBook) {}

  admit(exchange: Exchange, scopes: readonly Scope[]): Entrant {
    const session = this.require(exchange);
    if (!scopes.some((scope) => scopesOf[session.role].includes(scope)))
      throw new Problem('forbidden', 'You are signed in as a viewer. This takes an admin.');
    return { key: { workspace: session.workspace }, headers: [] };
  }

  /** The session of a request of the dashboard's own page; undefined where nobody is signed in. */
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
