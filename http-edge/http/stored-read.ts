import { TelltaleError } from '../../runtime/errors.js';
import { Problem, retryAfter } from '../../runtime/http/problem.js';

const storeErrors: ReadonlySet<string> = new Set([
  'KAFKA_UNREACHABLE',
  'REGISTRY_UNREACHABLE',
  'CLICKHOUSE_UNREACHABLE',
  'CLICKHOUSE_REFUSED',
  'QUERY_TOO_LARGE',
]);

/**
 * An outage of the store fails only this answer: nothing else in the edge waits for the store. `detail` says
 * what to do. If the query is too large, `narrow` names a parameter and says how to ask for less.
 */
export async function orUnavailable<Value>(
  detail: string,
  read: () => Promise<Value>,
  narrow?: { readonly parameter: string; readonly detail: string },
): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof TelltaleError) || !storeErrors.has(error.code)) throw error;
    if (error.code === 'QUERY_TOO_LARGE' && narrow !== undefined)
      throw new Problem('invalid', 'The query would read too much data.', {
        errors: [{ pointer: `/${narrow.parameter}`, detail: narrow.detail }],
      });
    throw new Problem('unavailable', detail, { headers: retryAfter(2) });
  }
}
