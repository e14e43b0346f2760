import { Problem, retryAfter } from '../../runtime/http/problem.js';
import type { Route } from '../../runtime/http/route.js';
import type { Gate } from '../http/admission.js';
import type { ReadTurns } from '../http/read-turns.js';
import { orUnavailable } from '../http/stored-read.js';
import type { Finder } from './finder.js';
import { findPath } from '../routes.js';

export interface FindRouteDependencies {
  readonly finder: Finder;
  readonly turns: ReadTurns;
  readonly admission: Gate;
}

const longestId = 255;
const away = 'The search is not possible at the moment. Try again.';

/** `GET /api/v1/find/{id}`: each step of a task, call, trace or batch of the key's workspace, for the scope `read`. */
export function findRoute({ finder, turns, admission }: FindRouteDependencies): Route {
  return {
    method: 'GET',
    pattern: `${findPath}/{id}`,
    async handle(exchange, { id = '' }) {
      const { key, headers } = admission.admit(exchange, ['read']);
      if (id.length > longestId) throw new Problem('not-found', 'The id is too long.');
      const found = await orUnavailable(away, () => turns.run(() => finder.find(id, key.workspace)));
      if (found.outcome === 'not seen') {
        if (!found.complete)
          throw new Problem('unavailable', 'The search did not finish in time. Try again.', {
            headers: retryAfter(2),
          });
        const since = found.not_seen_since;
        throw new Problem(
          'not-found',
          `${found.detail} ${since === null ? 'The topics that would hold it are empty.' : `Everything is kept since ${since}.`}`,
        );
      }
      exchange.json(200, JSON.stringify(found), headers);
    },
  };
}
