import { Problem } from '../../runtime/http/problem.js';
import type { Route } from '../../runtime/http/route.js';
import { ofFiltered } from '../clusters/cursors.js';
import { pageOf } from '../clusters/page.js';
import { queryOf } from '../clusters/query.js';
import type { Gate } from '../http/admission.js';
import { orUnavailable } from '../http/stored-read.js';
import { resultsPath } from '../routes.js';
import { afterResult, boundedRangeOf, resultFilterOf, scoreOf } from './result-query.js';
import type { ResultReader } from './result-reader.js';

export interface ResultRoutesDependencies {
  readonly results: ResultReader;
  readonly admission: Gate;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const narrow = {
  parameter: 'from',
  detail: 'Ask for a shorter range, or for one metric: this query would read too many results.',
};
const away =
  'The stored results cannot be read at the moment. Try again; if the range is long, ask for a shorter one.';

/** `GET /api/v1/results…`: the scored prompts of the key's workspace, for a key with the scope `read`. */
export function resultRoutes({ results, admission, clock }: ResultRoutesDependencies): readonly Route[] {
  return [
    {
      method: 'GET',
      pattern: resultsPath,
      async handle(exchange) {
        const { key, headers } = admission.admit(exchange, ['read']);
        const query = queryOf(exchange.request.url ?? '');
        const filter = resultFilterOf(query);
        const range = boundedRangeOf(query, clock());
        const page = pageOf(query, ofFiltered(afterResult, filter));
        const read = (): Promise<object> => results.list(key.workspace, page, range, filter);
        exchange.json(200, JSON.stringify(await orUnavailable(away, read, narrow)), headers);
      },
    },
    {
      method: 'GET',
      pattern: `${resultsPath}/trends`,
      async handle(exchange) {
        const { key, headers } = admission.admit(exchange, ['read']);
        const query = queryOf(exchange.request.url ?? '');
        const score = scoreOf(query);
        const filter = resultFilterOf(query);
        const range = boundedRangeOf(query, clock());
        const read = (): Promise<object> => results.trends(key.workspace, range, score, filter);
        exchange.json(200, JSON.stringify(await orUnavailable(away, read, narrow)), headers);
      },
    },
    {
      method: 'GET',
      pattern: `${resultsPath}/hop-times`,
      async handle(exchange) {
        const { key, headers } = admission.admit(exchange, ['read']);
        const range = boundedRangeOf(queryOf(exchange.request.url ?? ''), clock());
        const read = (): Promise<object> => results.hopTimes(key.workspace, range);
        exchange.json(200, JSON.stringify(await orUnavailable(away, read, narrow)), headers);
      },
    },
    {
      method: 'GET',
      pattern: `${resultsPath}/{task_id}`,
      async handle(exchange, { task_id: id = '' }) {
        const { key, headers } = admission.admit(exchange, ['read']);
        const found = uuidForm.test(id)
          ? await orUnavailable(away, () => results.one(key.workspace, id.toLowerCase()))
          : undefined;
        if (found === undefined)
          throw new Problem(
            'not-found',
            'This workspace has no such result. One that was scored just now may not be stored yet.',
          );
        exchange.json(200, JSON.stringify(found), headers);
      },
    },
  ];
}
