import { Problem } from '../../runtime/http/problem.js';
import type { Route } from '../../runtime/http/route.js';
import { ofFiltered } from '../clusters/cursors.js';
import { pageOf } from '../clusters/page.js';
import { invalid, queryOf, valueOf } from '../clusters/query.js';
import type { Gate } from '../http/admission.js';
import { orUnavailable } from '../http/stored-read.js';
import { boundedRangeOf } from '../results/result-query.js';
import { tracesPath } from '../routes.js';
import { afterSpan, afterTraceSpan, spanFilterOf, spanIdForm, traceIdForm } from './trace-query.js';
import type { AfterTraceSpan, OtlpPage, TraceReader } from './trace-reader.js';

export interface TraceRoutesDependencies {
  readonly traces: TraceReader;
  readonly admission: Gate;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

const away = 'The stored traces cannot be read at the moment. Try again in a moment.';
const narrow = {
  parameter: 'from',
  detail: 'Ask for a shorter range, or for one application: this query would read too many spans.',
};

/** `GET /api/v1/traces…`: the traces of the key's workspace, for a key with the scope `read`. */
export function traceRoutes({ traces, admission, clock }: TraceRoutesDependencies): readonly Route[] {
  return [
    {
      method: 'GET',
      pattern: tracesPath,
      async handle(exchange) {
        const { key, headers } = admission.admit(exchange, ['read']);
        const query = queryOf(exchange.request.url ?? '');
        const filter = spanFilterOf(query);
        const range = boundedRangeOf(query, clock());
        const page = pageOf(query, ofFiltered(afterSpan, filter));
        const read = (): Promise<object> => traces.search(key.workspace, page, range, filter);
        exchange.json(200, JSON.stringify(await orUnavailable(away, read, narrow)), headers);
      },
    },
    {
      method: 'GET',
      pattern: `${tracesPath}/durations`,
      async handle(exchange) {
        const { key, headers } = admission.admit(exchange, ['read']);
        const query = queryOf(exchange.request.url ?? '');
        const filter = spanFilterOf(query);
        const range = boundedRangeOf(query, clock());
        const read = (): Promise<object> => traces.durations(key.workspace, range, filter);
        exchange.json(200, JSON.stringify(await orUnavailable(away, read, narrow)), headers);
      },
    },
    {
      method: 'GET',
      pattern: `${tracesPath}/{trace_id}`,
      async handle(exchange, { trace_id: id = '' }) {
        const { key, headers } = admission.admit(exchange, ['read']);
        const after = cursorOf(queryOf(exchange.request.url ?? ''));
        const read = (): Promise<object | undefined> => traces.one(key.workspace, id.toLowerCase(), after);
        const found = traceIdForm.test(id) ? await orUnavailable(away, read) : undefined;
        exchange.json(200, JSON.stringify(orMissing(found)), headers);
      },
    },
    {
      method: 'GET',
      pattern: `${tracesPath}/{trace_id}/otlp`,
      async handle(exchange, { trace_id: id = '' }) {
        const { key, headers } = admission.admit(exchange, ['read']);
        const query = queryOf(exchange.request.url ?? '');
        const wanted = { span: spanOf(query), after: cursorOf(query) };
        const read = (): Promise<OtlpPage | undefined> =>
          traces.otlp(key.workspace, id.toLowerCase(), wanted);
        const found = traceIdForm.test(id) ? await orUnavailable(away, read) : undefined;
        const { request, next } = orMissing(found);
        // The body is a plain OTLP request, so the link to the next page is in a header (RFC 8288).
        const link = next === null ? [] : ['link', `<?cursor=${next}>; rel="next"`];
        exchange.json(200, JSON.stringify(request), [...headers, ...link]);
      },
    },
  ];
}

function orMissing<Found extends object>(found: Found | undefined): Found {
  if (found !== undefined) return found;
  throw new Problem(
    'not-found',
    'This workspace has no such trace. One that was sent just now may not be stored yet; traces are kept for 30 days.',
  );
}

function cursorOf(query: URLSearchParams): AfterTraceSpan | undefined {
  const text = valueOf(query, 'cursor');
  if (text === null) return undefined;
  const after = afterTraceSpan.read(text);
  if (after !== undefined) return after;
  throw invalid('cursor', '`cursor` must be the `next` of an earlier answer about the same trace.');
}

function spanOf(query: URLSearchParams): string | undefined {
  const text = valueOf(query, 'span_id');
  if (text === null) return undefined;
  if (spanIdForm.test(text)) return text.toLowerCase();
  throw invalid('span_id', '`span_id` must have 16 hex digits.');
}
