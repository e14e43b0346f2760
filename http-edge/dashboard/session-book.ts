import type { DashboardSession } from '../../schemas/generated/dashboard-session.js';
import type { ApiKey } from '../../schemas/generated/api-key.js';
import { Problem } from '../../runtime/http/problem.js';
import type { Authentication } from '../http/authentication.js';
import { exceptMostRecent } from '../keys/except-most-recent.js';
import { hashOfSecret } from '../keys/key-format.js';
import { stateOf } from '../keys/key-store.js';
import type { AccessKeys } from '../ports.js';
import { newSession, type IssuedSession, type Person, type Sessions } from './sessions.js';

export interface SessionBookOptions {
  readonly sessions: Sessions;
  readonly accessKeys: AccessKeys;
  readonly authentication: Authentication;
  /** How long a session lasts without being used, and in total. */
  readonly idleMs: number;
  readonly lastsMs: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** A session's use is recorded at most this often, not at each request. */
const recordedAgainMs = 5 * 60_000;

/** The most sessions in force in a workspace: every edge has all of them in memory. */
const mostSessions = 200;
/** The most ended sessions that are remembered of a workspace. */
const rememberedSessions = 200;

/**
 * Who is signed in. A session starts with an API key, a link or an identity provider. It ends when it
 * expires, when its user signs out, or with its key.
 */
export class SessionBook {
  constructor(private readonly options: SessionBookOptions) {}

  /** Throws a problem if the key is refused, or may neither read nor administer. */
  async beginWithKey(token: string): Promise<IssuedSession> {
    const key = this.options.authentication.authenticateToken(token, ['read', 'admin']);
    const role = key.scopes.includes('admin') ? 'admin' : 'viewer';
    const { workspace, key_id, secret_hash: key_hash } = key;
    return this.beginFor({ workspace, role, key_id, key_hash, subject: null });
  }

  /** Throws a problem if the link is unknown, expired or used. */
  async beginWithLink(token: string): Promise<IssuedSession> {
    const { sessions, clock } = this.options;
    const id = hashOfSecret(token);
    if (sessions.find(id) === undefined) await sessions.upToDate(id);
    const link = sessions.find(id);
    if (link?.kind !== 'link') throw refusedLink('is not known');
    if (link.begun !== null) throw refusedLink('was used before');
    if (link.expires_at <= clock() * 1_000) throw refusedLink('has expired');
    const issued = await this.issue(link);
    // Only the session that the topic names first may start: of two edges asked at once, one refuses.
    await sessions.put({ ...link, begun: issued.session.id });
    if (sessions.find(id)?.begun !== issued.session.id) throw refusedLink('was used before');
    await sessions.put(issued.session);
    return issued;
  }

  /** Starts a session for a person whom the caller has authenticated. */
  async beginFor(person: Person): Promise<IssuedSession> {
    const issued = await this.issue(person);
    await this.options.sessions.put(issued.session);
    return issued;
  }

  /** The session of a cookie's token; undefined if there is none, or it has ended. */
  find(token: string): DashboardSession | undefined {
    const session = this.options.sessions.find(hashOfSecret(token));
    if (session?.kind !== 'session' || !this.isOpen(session)) return undefined;
    this.recordUse(session);
    return session;
  }

  /** Whether the session started with a key that may score. */
  mayScore({ key_id }: DashboardSession): boolean {
    return key_id !== null && this.options.accessKeys.find(key_id)?.scopes.includes('metrics') === true;
  }

  /** The sessions of a workspace that are in force. */
  open(workspace: string): readonly DashboardSession[] {
    return this.known(workspace).filter((session) => this.isOpen(session));
  }

  /** Includes the ended sessions that are remembered. */
  known(workspace: string): readonly DashboardSession[] {
    return this.options.sessions.list(workspace).filter(({ kind }) => kind === 'session');
  }

  /** Keeps a session in force when its user rotates its key. Other sessions of the key have ended. */
  async keepAfterRotation(token: string, { key_id, secret_hash }: ApiKey): Promise<void> {
    const session = this.options.sessions.find(hashOfSecret(token));
    if (session?.key_id === key_id) await this.options.sessions.put({ ...session, key_hash: secret_hash });
  }

  async end(session: DashboardSession): Promise<void> {
    await this.options.sessions.put({ ...session, ended_at: this.now() });
  }

  /**
   * Ends the session whose token came with a sign-in, because the browser keeps only the new one. If Kafka
   * can't be reached, that session ends later, because it is no longer used.
   */
  async endReplaced(token: string | undefined): Promise<void> {
    const session = token === undefined ? undefined : this.find(token);
    if (session !== undefined) await this.end(session).catch(() => undefined);
  }

  /** Throws a problem if the workspace already has as many sessions as it may have. */
  private async issue(person: Person): Promise<IssuedSession> {
    const { clock, lastsMs, sessions } = this.options;
    const known = this.known(person.workspace);
    const ended = known.filter((session) => !this.isOpen(session));
    if (known.length - ended.length >= mostSessions)
      throw new Problem(
        'conflict',
        `${mostSessions} people are signed in to this workspace, which is the limit. Sign out elsewhere, or have an admin's API key end sessions by \`DELETE /api/v1/sessions/{session_id}\`.`,
      );
    const forgotten = exceptMostRecent(ended, rememberedSessions, (one) => one.ended_at ?? one.used_at);
    await Promise.all(forgotten.map(({ id }) => sessions.remove(id)));
    return newSession(person, clock(), lastsMs);
  }

  private isOpen({ ended_at, expires_at, used_at, key_id, key_hash }: DashboardSession): boolean {
    const { idleMs, accessKeys, clock } = this.options;
    const now = this.now();
    if (ended_at !== null || expires_at <= now || used_at + idleMs * 1_000 <= now) return false;
    if (key_id === null) return true;
    const key = accessKeys.find(key_id);
    if (key === undefined || stateOf(key, clock()) !== 'active') return false;
    return key_hash === null || key_hash === key.secret_hash;
  }

  private recordUse(session: DashboardSession): void {
    if (this.now() - session.used_at < recordedAgainMs * 1_000) return;
    // A use that is not recorded ends the session sooner, and has no other effect.
    this.renew(session).catch(() => undefined);
  }

  private async renew(session: DashboardSession): Promise<void> {
    const { sessions } = this.options;
    const renewed = { ...session, used_at: this.now() };
    await sessions.put(renewed);
    const ended = sessions.find(session.id)?.ended_at ?? null;
    // It ended meanwhile: that must be its last record in the topic, because compaction keeps only that.
    if (ended !== null) await sessions.put({ ...renewed, ended_at: ended });
  }

  /** Microseconds since 1970. */
  private now(): number {
    return Math.round(this.options.clock() * 1_000);
  }
}

function refusedLink(why: string): Problem {
  return new Problem(
    'unauthorized',
    `The sign-in link ${why}. Make a new one with \`telltale sign-in-link\`, or sign in with an API key.`,
  );
}
