import type { Exchange } from '../../runtime/http/exchange.js';
import type { Route } from '../../runtime/http/route.js';
import { queryOf } from '../clusters/query.js';
import type { Gate } from '../http/admission.js';
import { orUnavailable } from '../http/stored-read.js';
import { boundedRangeOf } from '../results/result-query.js';
import type { BoundedRange } from '../results/result-reader.js';
import { applicationsPath } from '../routes.js';
import { textOf } from '../traces/trace-query.js';
import type { ApplicationReader } from './application-reader.js';

export interface ApplicationRoutesDependencies {
  readonly applications: ApplicationReader;
  readonly admission: Gate;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

const away = 'The stored applications cannot be read at the moment. Try again in a moment.';
const narrow = { parameter: 'from', detail: 'Ask for a shorter range: this one has too many spans.' };

type Read = (workspace: string, range: BoundedRange, query: URLSearchParams) => Promise<object>;

/**
 * `GET /api/v1/applications…`: how the applications of the key's workspace perform, for a key with the scope `read`.
 */
export function applicationRoutes({
  applications,
  admission,
  clock,
}: ApplicationRoutesDependencies): readonly Route[] {
  const route = (pattern: string, read: Read): Route => ({
    method: 'GET',
    pattern,
    async handle(exchange: Exchange) {
      const { key, headers } = admission.admit(exchange, ['read']);
      const query = queryOf(exchange.request.url ?? '');
      const range = boundedRangeOf(query, clock());
      const reading = (): Promise<object> => read(key.workspace, range, query);
      exchange.json(200, JSON.stringify(await orUnavailable(away, reading, narrow)), headers);
    },
  });
  return [
    route(applicationsPath, (workspace, range) => applications.list(workspace, range)),
    route(`${applicationsPath}/operations`, async (workspace, range, query) =>
      applications.operations(workspace, range, textOf(query, 'application')),
    ),
    route(`${applicationsPath}/calls`, (workspace, range) => applications.calls(workspace, range)),
  ];
}
