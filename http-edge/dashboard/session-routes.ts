import { checkBodyHeaders, readBody } from '../../runtime/http/body.js';
import type { Exchange } from '../../runtime/http/exchange.js';
import { parseJson } from '../../runtime/http/json-body.js';
import { Problem } from '../../runtime/http/problem.js';
import type { Route } from '../../runtime/http/route.js';
import type { DashboardSession } from '../../schemas/generated/dashboard-session.js';
import { uiPath } from '../routes.js';
import type { FailedAttempts } from './failed-attempts.js';
import { requireOwnPage } from './own-page.js';
import type { SessionBook } from './session-book.js';
import { noSessionCookie, sessionCookie, tokenOf } from './session-cookie.js';
import type { SessionGate } from './session-gate.js';
import { publicIdOf, type IssuedSession } from './sessions.js';

export interface SessionRoutesDependencies {
  readonly book: SessionBook;
  readonly gate: SessionGate;
  readonly attempts: FailedAttempts;
}

const pattern = `${uiPath}api/session`;
const bodyLimit = 4_096;

/** Sign-in, the current session, and sign-out. */
export function sessionRoutes({ book, gate, attempts }: SessionRoutesDependencies): readonly Route[] {
  return [
    {
      method: 'GET',
      pattern,
      handle(exchange) {
        const session = gate.find(exchange);
        exchange.json(200, JSON.stringify(session === undefined ? null : viewOf(session, gate)));
      },
    },
    {
      method: 'POST',
      pattern,
      async handle(exchange) {
        requireOwnPage(exchange.request);
        const issued = await attempts.count(exchange.request, () => begin(exchange, book));
        await book.endReplaced(tokenOf(exchange.request.headers.cookie));
        exchange.json(200, JSON.stringify(viewOf(issued.session, gate)), [
          'set-cookie',
          sessionCookie(issued),
        ]);
      },
    },
    {
      method: 'DELETE',
      pattern,
      async handle(exchange) {
        await book.end(gate.require(exchange));
        exchange.answer(204, '', '', ['set-cookie', noSessionCookie]);
      },
    },
  ];
}

async function begin(exchange: Exchange, book: SessionBook): Promise<IssuedSession> {
  checkBodyHeaders(exchange, bodyLimit);
  const body = parseJson(await readBody(exchange, bodyLimit));
  const { key, link } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  if (typeof key === 'string') return book.beginWithKey(key.trim());
  if (typeof link === 'string') return book.beginWithLink(link);
  const detail = 'Send `key`, an API key, or `link`, the token of a sign-in link.';
  throw new Problem('invalid', detail, { errors: [{ pointer: '', detail }] });
}

function viewOf(session: DashboardSession, gate: SessionGate): object {
  const { workspace, role, key_id, subject, created_at, expires_at } = session;
  const iso = (micros: number): string => new Date(micros / 1_000).toISOString();
  return {
    ...{ session_id: publicIdOf(session), workspace, role, key_id, subject, scopes: gate.scopesOf(session) },
    ...{ signed_in_at: iso(created_at), expires_at: iso(expires_at) },
  };
}
