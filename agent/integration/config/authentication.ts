import { Secret } from './secret.js';

export type Authentication =
  | { readonly kind: 'none' }
  | { readonly kind: 'basic'; readonly username: string; readonly password: Secret }
  /** `encoded` is base64 of `id:api_key`, as it goes into the header. */
  | { readonly kind: 'api-key'; readonly encoded: Secret };

interface Given {
  readonly apiKey: string;
  readonly username: string;
  readonly password: string;
}

/** The API key takes precedence if both are set; empty texts count as unset. */
export function authenticationOf({ apiKey, username, password }: Given): Authentication {
  if (apiKey !== '') return { kind: 'api-key', encoded: new Secret(encodedKey(apiKey)) };
  if (username === '') return { kind: 'none' };
  return { kind: 'basic', username, password: new Secret(password) };
}

/** Base64 has no colon, so a text with one is the pair. */
function encodedKey(apiKey: string): string {
  return apiKey.includes(':') ? Buffer.from(apiKey).toString('base64') : apiKey;
}

/** Whether a text is the pair `id:api_key`, or base64 of one. */
export function looksLikeApiKey(apiKey: string): boolean {
  const pair = apiKey.includes(':') ? apiKey : Buffer.from(apiKey, 'base64').toString('latin1');
  return /^[\x21-\x39\x3b-\x7e]+:[\x21-\x7e]+$/.test(pair);
}
