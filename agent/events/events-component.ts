import { checkBodyHeaders, readBody } from '../../runtime/http/body.js';
import { parseJson } from '../../runtime/http/json-body.js';
import type { Exchange } from '../../runtime/http/exchange.js';
import type { AgentContext, AgentComponent } from '../component.js';
import { eventOfQuery, eventsOfBody, holdsEvent } from './read-events.js';

const accepted = '{"status":"accepted"}';
/** More than 1,000 events with the longest names. */
const largestBody = 4 * 1024 * 1024;
const whatThisIs = JSON.stringify({
  name: 'telltale-agent',
  takes: ['POST /events', 'POST /apm/{app_name}/v1/traces', 'POST /v1/traces'],
  says: ['GET /status', 'GET /livez', 'GET /readyz', 'GET /metrics'],
});

/** Takes custom events: `POST /events`, and `GET /?method=…` of existing libraries. */
export const eventsComponent: AgentComponent = {
  name: 'events',
  start(context) {
    let taken = 0;
    const put = async (exchange: Exchange, events: readonly object[]): Promise<void> => {
      await context.outbox.put('events', events);
      taken += events.length;
      exchange.json(200, accepted);
    };
    return Promise.resolve({
      routes: [
        {
          method: 'POST',
          pattern: '/events',
          handle: async (exchange) => put(exchange, await bodyOf(exchange, context)),
        },
        {
          method: 'GET',
          pattern: '/',
          handle(exchange) {
            const query = queryOf(exchange);
            if (exchange.request.method === 'GET' && holdsEvent(query))
              return put(exchange, [eventOfQuery(query, context.clock())]);
            exchange.json(200, whatThisIs);
            return undefined;
          },
        },
      ],
      status: () => ({ events_taken: taken }),
      stop: () => Promise.resolve(),
    });
  },
  check: () =>
    Promise.resolve({ does: ['takes custom events at POST /events and GET /?method=…'], problems: [] }),
};

async function bodyOf(exchange: Exchange, { config, clock }: AgentContext): Promise<readonly object[]> {
  const limit = Math.min(largestBody, config.current().AGENT_BODY_LIMIT_BYTES);
  checkBodyHeaders(exchange, limit);
  return eventsOfBody(parseJson(await readBody(exchange, limit)), clock());
}

function queryOf({ request }: Exchange): URLSearchParams {
  const target = request.url ?? '';
  const mark = target.indexOf('?');
  return new URLSearchParams(mark === -1 ? '' : target.slice(mark + 1));
}
