import { hashOfSecret, newSecret } from '../keys/key-format.js';
import type { DashboardSession } from '../../schemas/generated/dashboard-session.js';

/** The compacted topic of sessions: in memory on every edge, at most a second behind. */
export interface Sessions {
  find(id: string): DashboardSession | undefined;
  /** Sessions and links of a workspace, ended ones too. */
  list(workspace: string): readonly DashboardSession[];
  /** Resolves once this edge has read everything that the topic held at the time of the call. */
  upToDate(id: string): Promise<void>;
  /** Appends the new state of a session; resolves once it is durable and this edge has read it. */
  put(session: DashboardSession): Promise<void>;
  /** Removes a session that has ended. */
  remove(id: string): Promise<void>;
}

/** The person that a session belongs to. */
export type Person = Pick<DashboardSession, 'workspace' | 'role' | 'key_id' | 'subject'> &
  Partial<Pick<DashboardSession, 'key_hash'>>;

/** A link or session whose token was just made. The token is in no log and no topic. */
export interface IssuedSession {
  readonly token: string;
  readonly session: DashboardSession;
}

/** The id of a session that people other than its owner may see: it reveals nothing about the token. */
export const publicIdOf = ({ id }: DashboardSession): string => id.slice(0, 16);

const linkMs = 10 * 60_000;

/** A link is good for one session, within ten minutes. */
export function newLink(person: Person, nowMs: number): IssuedSession {
  return issue('link', person, nowMs, linkMs);
}

export function newSession(person: Person, nowMs: number, lastsMs: number): IssuedSession {
  return issue('session', person, nowMs, lastsMs);
}

function issue(
  kind: DashboardSession['kind'],
  person: Person,
  nowMs: number,
  lastsMs: number,
): IssuedSession {
  const token = newSecret();
  const { workspace, role, key_id, key_hash = null, subject } = person;
  const now = Math.round(nowMs * 1_000);
  return {
    token,
    session: {
      ...{ id: hashOfSecret(token), kind, workspace, role, key_id, key_hash, subject },
      ...{ created_at: now, used_at: now, expires_at: now + lastsMs * 1_000, ended_at: null, begun: null },
    },
  };
}

/**
 * Merges a later record into an earlier one. An ended session stays ended. If two sessions start from one
 * link at the same time, the first in the topic counts, so that every edge decides alike.
 */
export function laterState(earlier: DashboardSession, later: DashboardSession): DashboardSession {
  return {
    ...later,
    used_at: Math.max(earlier.used_at, later.used_at),
    ended_at: earlier.ended_at ?? later.ended_at,
    begun: earlier.begun ?? later.begun,
  };
}
