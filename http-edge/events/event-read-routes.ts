import type { Route } from '../../runtime/http/route.js';
import type { CursorForm } from '../clusters/cursors.js';
import { pageOf } from '../clusters/page.js';
import { queryOf } from '../clusters/query.js';
import type { Gate } from '../http/admission.js';
import { orUnavailable } from '../http/stored-read.js';
import { boundedRangeOf } from '../results/result-query.js';
import { eventsPath } from '../routes.js';
import { textOf } from '../traces/trace-query.js';
import type { AfterMetric, EventReader } from './event-reader.js';

export interface EventReadDependencies {
  readonly events: EventReader;
  readonly admission: Gate;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

const away = 'The stored events cannot be read at the moment. Try again in a moment.';
const narrow = { parameter: 'from', detail: 'Ask for a shorter range: this one has too many events.' };

/** The name can contain any characters, so it is encoded in base64url. */
export const afterMetric: CursorForm<AfterMetric> = {
  read(text) {
    const [, type, name] = /^m-([a-z]{1,20})-([\w-]{1,2000})$/.exec(text) ?? [];
    if (type === undefined || name === undefined) return undefined;
    return { type, metric: Buffer.from(name, 'base64url').toString('utf8') };
  },
  write: ({ metric, type }) => `m-${type}-${Buffer.from(metric).toString('base64url')}`,
};

/** `GET /api/v1/events…`: the custom events of the key's workspace, for a key with the scope `read`. */
export function eventReadRoutes({ events, admission, clock }: EventReadDependencies): readonly Route[] {
  return [
    {
      method: 'GET',
      pattern: eventsPath,
      async handle(exchange) {
        const { key, headers } = admission.admit(exchange, ['read']);
        const query = queryOf(exchange.request.url ?? '');
        const range = boundedRangeOf(query, clock());
        const page = pageOf(query, afterMetric);
        const read = (): Promise<object> => events.metrics(key.workspace, page, range);
        exchange.json(200, JSON.stringify(await orUnavailable(away, read, narrow)), headers);
      },
    },
    {
      method: 'GET',
      pattern: `${eventsPath}/series`,
      async handle(exchange) {
        const { key, headers } = admission.admit(exchange, ['read']);
        const query = queryOf(exchange.request.url ?? '');
        const range = boundedRangeOf(query, clock());
        const metric = textOf(query, 'metric');
        const cluster = textOf(query, 'cluster');
        const filter = { ...(metric !== undefined && { metric }), ...(cluster !== undefined && { cluster }) };
        const read = (): Promise<object> => events.series(key.workspace, range, filter);
        exchange.json(200, JSON.stringify(await orUnavailable(away, read, narrow)), headers);
      },
    },
  ];
}
