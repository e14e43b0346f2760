import { TelltaleError } from '../../runtime/errors.js';
import { Problem, retryAfter } from '../../runtime/http/problem.js';

const storeErrors: ReadonlySet<string> = new Set(['CLICKHOUSE_UNREACHABLE', 'CLICKHOUSE_REFUSED']);

/** A store that is away costs this answer alone: nothing else of the edge waits for it. `detail` says what to do. */
export async function orUnavailable<Value>(detail: string, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof TelltaleError) || !storeErrors.has(error.code)) throw error;
    throw new Problem('unavailable', detail, { headers: retryAfter(2) });
  }
}
