import { Authentication } from '../../http-edge/http/authentication.js';
import { reasonOf, TelltaleError } from '../../runtime/errors.js';
import { Problem } from '../../runtime/http/problem.js';
import { openAccessKeysSession } from '../access-keys-session.js';

/** The workspace of the admin whose key is in TELLTALE_API_KEY. Rejects with ADMIN_NEEDED if none is. */
export async function requireAdmin(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const token = environment['TELLTALE_API_KEY'] ?? '';
  if (token === '') throw adminNeeded('TELLTALE_API_KEY is not set');
  const session = await openAccessKeysSession(environment);
  try {
    return new Authentication(session.keys, Date.now).authenticateToken(token, ['admin']).workspace;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw adminNeeded(reasonOf(error));
  } finally {
    await session.close();
  }
}

export const adminNeeded = (reason: string): TelltaleError => new TelltaleError('ADMIN_NEEDED', { reason });
