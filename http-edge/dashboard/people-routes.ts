import { Problem } from '../../runtime/http/problem.js';
import type { Route } from '../../runtime/http/route.js';
import type { DashboardSession } from '../../schemas/generated/dashboard-session.js';
import type { Gate } from '../http/admission.js';
import { sessionsPath } from '../routes.js';
import type { SessionBook } from './session-book.js';
import { publicIdOf } from './sessions.js';

export interface PeopleRoutesDependencies {
  readonly book: SessionBook;
  readonly admission: Gate;
}

/** `GET` and `DELETE /api/v1/sessions…`: who is signed in to the dashboard, for a key with the scope `admin`. */
export function peopleRoutes({ book, admission }: PeopleRoutesDependencies): readonly Route[] {
  return [
    {
      method: 'GET',
      pattern: sessionsPath,
      handle(exchange) {
        const { key, headers } = admission.admit(exchange, ['admin']);
        const sessions = [...book.open(key.workspace)].sort((one, other) => other.used_at - one.used_at);
        exchange.json(200, JSON.stringify({ sessions: sessions.map(viewOf) }), headers);
      },
    },
    {
      method: 'DELETE',
      pattern: `${sessionsPath}/{session_id}`,
      async handle(exchange, { session_id: id = '' }) {
        const { key, headers } = admission.admit(exchange, ['admin']);
        const session = book.known(key.workspace).find((one) => publicIdOf(one) === id);
        if (session === undefined)
          throw new Problem('not-found', 'There is no such session in this workspace.');
        if (session.ended_at === null) await book.end(session);
        exchange.answer(204, '', '', headers);
      },
    },
  ];
}

function viewOf(session: DashboardSession): object {
  const { role, key_id, subject, created_at, used_at, expires_at } = session;
  const iso = (micros: number): string => new Date(micros / 1_000).toISOString();
  return {
    ...{ session_id: publicIdOf(session), role, began_by: wayOf(session), key_id, subject },
    ...{ signed_in_at: iso(created_at), last_used_at: iso(used_at), expires_at: iso(expires_at) },
  };
}

function wayOf({ key_id, subject }: DashboardSession): 'key' | 'identity provider' | 'link' {
  if (key_id !== null) return 'key';
  return subject === null ? 'link' : 'identity provider';
}
