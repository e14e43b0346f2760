import type { IssuedSession } from './sessions.js';

/** Cookies that only this exact host sets and gets, over a secure connection or from loopback. */
const sessionName = '__Host-sid';
const attemptName = '__Host-sign-in';
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax';
const attemptSeconds = 600;

/** The token of the session in a Cookie header. */
export function tokenOf(header: string | undefined): string | undefined {
  return valueOf(header, sessionName);
}

/** The browser keeps it for as long as the session can last. */
export function sessionCookie({ token, session }: IssuedSession): string {
  const seconds = Math.floor((session.expires_at - session.created_at) / 1_000_000);
  return `${sessionName}=${token}; Max-Age=${seconds}; ${attributes}`;
}

export const noSessionCookie = `${sessionName}=; Max-Age=0; ${attributes}`;

/** The sign-in attempt that the browser keeps. The identity provider's answer must match it. */
export function signInAttemptOf(header: string | undefined): string | undefined {
  const value = valueOf(header, attemptName);
  return value === undefined ? undefined : Buffer.from(value, 'base64url').toString();
}

export function attemptCookie(attempt: string): string {
  return `${attemptName}=${Buffer.from(attempt).toString('base64url')}; Max-Age=${attemptSeconds}; ${attributes}`;
}

export const noAttemptCookie = `${attemptName}=; Max-Age=0; ${attributes}`;

function valueOf(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key, ...value] = part.trim().split('=');
    if (key === name) return value.join('=');
  }
  return undefined;
}
