import { hash, randomBytes } from 'node:crypto';

/** The two halves of an API key `tt_<key id>_<secret>`. */
export interface KeyParts {
  readonly keyId: string;
  readonly secret: string;
}

const prefix = 'tt_';
const keyIdLength = 12;
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Splits a key; undefined if it does not have the form of one. */
export function parseKey(token: string): KeyParts | undefined {
  if (!token.startsWith(prefix)) return undefined;
  const end = token.indexOf('_', prefix.length);
  if (end <= prefix.length || end === token.length - 1) return undefined;
  return { keyId: token.slice(prefix.length, end), secret: token.slice(end + 1) };
}

export function formatKey({ keyId, secret }: KeyParts): string {
  return `${prefix}${keyId}_${secret}`;
}

/** 12 characters of 5 random bits each; without `_`, which separates the halves. */
export function newKeyId(): string {
  return Array.from(randomBytes(keyIdLength), (byte) => alphabet[byte % alphabet.length]).join('');
}

/** 32 random bytes, as text that needs no escaping anywhere. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 of the secret's text, hex. A fast hash is right here: nobody can guess a secret of 256 random bits. */
export function hashOfSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}
