import type { Route } from '../../runtime/http/route.js';
import { isoOfMillis } from '../clusters/read/store.js';
import type { Gate } from '../http/admission.js';
import { orUnavailable } from '../http/stored-read.js';
import { newestPath } from '../routes.js';
import type { NewestReader } from './newest-reader.js';

export interface NewestRouteDependencies {
  readonly newest: NewestReader;
  readonly admission: Gate;
}

const away = 'The stored data cannot be read at the moment. Try again.';

/** `GET /api/v1/newest`: when the workspace last had anything of each kind, for a key with the scope `read`. */
export function newestRoute({ newest, admission }: NewestRouteDependencies): Route {
  return {
    method: 'GET',
    pattern: newestPath,
    async handle(exchange) {
      const { key, headers } = admission.admit(exchange, ['read']);
      const { results, events, spans } = await orUnavailable(away, () => newest.read(key.workspace));
      const body = { result_at: iso(results), event_at: iso(events), span_at: iso(spans) };
      exchange.json(200, JSON.stringify(body), headers);
    },
  };
}

const iso = (millis: number | null): string | null => (millis === null ? null : isoOfMillis(millis));
