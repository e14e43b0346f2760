/** A cookie that only this very host sets and gets, over a secure connection or from loopback. */
const name = '__Host-sid';
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/** The token in a Cookie header. */
export function tokenOf(header: string | undefined): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key, ...value] = part.trim().split('=');
    if (key === name) return value.join('=');
  }
  return undefined;
}

export function cookieOf(token: string, seconds: number): string {
  return `${name}=${token}; Max-Age=${seconds}; ${attributes}`;
}

export const noCookie = `${name}=; Max-Age=0; ${attributes}`;
