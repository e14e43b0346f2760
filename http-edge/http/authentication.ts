import { hash, timingSafeEqual } from 'node:crypto';
import type { ApiKey } from '../../schemas/generated/api-key.js';
import { parseKey } from '../keys/key-format.js';
import type { KeyUses } from '../keys/key-uses.js';
import type { Scope } from '../keys/scopes.js';
import type { AccessKeys } from '../ports.js';
import { Problem } from '../../runtime/http/problem.js';

/** The length of a SHA-256 in hexadecimal. */
const hexDigits = 64;

/**
 * Finds the key of an Authorization header. Nothing is cached between requests: a SHA-256 costs a
 * microsecond. So a revoked key is refused as soon as the view of the keys has read the revocation.
 */
export class Authentication {
  private readonly hashes = new WeakMap<ApiKey, Buffer>();
  private readonly given = Buffer.alloc(hexDigits);

  constructor(
    private readonly keys: AccessKeys,
    /** Milliseconds since 1970. */
    private readonly clock: () => number,
    /** Notified of each key that is admitted. */
    private readonly uses: Pick<KeyUses, 'note'> = { note: () => undefined },
  ) {}

  /** The key, if it is valid and has one of the scopes. */
  authenticate(authorization: string | undefined, scopes: readonly Scope[]): ApiKey {
    if (authorization === undefined)
      throw refused('The API key is missing. Send it as `Authorization: Bearer <API_KEY>`.');
    return this.authenticateToken(bearerToken(authorization), scopes);
  }

  /** The same for a key that was sent elsewhere; `token` is undefined if it is missing. */
  authenticateToken(token: string | undefined, scopes: readonly Scope[]): ApiKey {
    const key = this.keyOf(token);
    if (key.revoked_at !== null) throw refused('The API key was revoked. Ask for a new one.');
    if (key.expires_at !== null && key.expires_at <= this.clock() * 1_000)
      throw refused('The API key has expired. Ask for a new one.');
    for (const scope of scopes)
      if (key.scopes.includes(scope)) {
        this.uses.note(key.key_id, this.clock());
        return key;
      }
    throw new Problem('forbidden', `The API key lacks the scope \`${scopes.join('` or `')}\`.`);
  }

  private keyOf(token: string | undefined): ApiKey {
    const parts = token === undefined ? undefined : parseKey(token);
    if (parts === undefined)
      throw refused('This is not an API key. Send one as `Authorization: Bearer <API_KEY>`.');
    const key = this.keys.find(parts.keyId);
    // Allocating a Buffer for each request would cost more than the hash.
    this.given.write(hash('sha256', parts.secret, 'hex'), 'latin1');
    if (key === undefined || !timingSafeEqual(this.given, this.hashOf(key)))
      throw refused('The API key is not known. Check that it is complete.');
    return key;
  }

  private hashOf(key: ApiKey): Buffer {
    let bytes = this.hashes.get(key);
    if (bytes === undefined) {
      bytes = Buffer.alloc(hexDigits);
      bytes.write(key.secret_hash.toLowerCase(), 'latin1');
      this.hashes.set(key, bytes);
    }
    return bytes;
  }
}

function bearerToken(authorization: string): string | undefined {
  if (!authorization.startsWith('Bearer ') && authorization.slice(0, 7).toLowerCase() !== 'bearer ')
    return undefined;
  return authorization.slice(7).trim();
}

function refused(detail: string): Problem {
  return new Problem('unauthorized', detail);
}
