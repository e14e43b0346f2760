import type { Exchange } from '../../runtime/http/exchange.js';
import { checkBodyHeaders, readBody } from '../../runtime/http/body.js';
import { Problem } from '../../runtime/http/problem.js';
import type { PathParameters, Route } from '../../runtime/http/route.js';
import type { AgentContext, AgentComponent, RunningComponent } from '../component.js';
import { otlpStatus } from './otlp-status.js';
import type { ReadFrames } from './read-frames.js';
import { createTraceReader } from './trace-reader.js';

/** Takes OTLP/JSON traces: spans whose request was answered 200 are on disk or on the server. */
export const traces: AgentComponent = {
  name: 'traces',
  start: (context) => Promise.resolve(startTraces(context)),
  check: () =>
    Promise.resolve({
      does: ['takes OTLP/JSON traces at POST /v1/traces and POST /apm/<app_name>/v1/traces'],
      problems: [],
    }),
};

function startTraces({ config, outbox, metrics, logger }: AgentContext): RunningComponent {
  const reader = createTraceReader({ logger, metrics });
  const spans = metrics.counter('telltale_agent_spans_total', 'Spans received, by outcome.', ['outcome']);
  const [accepted, rejected] = [spans.labels('accepted'), spans.labels('rejected')];
  const counts = { accepted: 0, rejected: 0 };

  async function take(exchange: Exchange, application?: string): Promise<void> {
    const limit = config.current().AGENT_BODY_LIMIT_BYTES;
    refuseProtobuf(exchange);
    checkBodyHeaders(exchange, limit);
    const read = await reader.read(await readBody(exchange, limit), application);
    if (read.items > 0) await outbox.put('spans', read);
    counts.accepted += read.accepted;
    counts.rejected += read.rejected;
    accepted.inc(read.accepted);
    rejected.inc(read.rejected);
    exchange.answer(200, 'application/json', answerOf(read));
  }

  const route = (
    pattern: string,
    applicationOf: (parameters: PathParameters) => string | undefined,
  ): Route => ({
    method: 'POST',
    pattern,
    problems: otlpStatus,
    handle: (exchange, parameters) => take(exchange, applicationOf(parameters)),
  });
  return {
    routes: [
      route('/v1/traces', () => undefined),
      route('/apm/{app_name}/v1/traces', ({ app_name = '' }) => checkedName(app_name)),
    ],
    status: () => ({ ...counts }),
    stop: () => reader.stop(),
  };
}

/** An ExportTraceServiceResponse, with `partialSuccess` only if something was rejected or needs a warning. */
function answerOf({ rejected, reasons }: ReadFrames): string {
  if (rejected === 0 && reasons.length === 0) return '{}';
  const more = rejected > reasons.length ? `; and ${rejected - reasons.length} more` : '';
  return JSON.stringify({
    partialSuccess: { rejectedSpans: String(rejected), errorMessage: `${reasons.join('; ')}${more}` },
  });
}

const longestName = 200;

/**
 * The name in the path, decoded. It becomes a column and a label of dashboards, so it has no control characters and a
 * bounded length.
 */
function checkedName(name: string): string {
  if (name.length <= longestName && name.trim() !== '' && !/\p{Cc}/u.test(name)) return name;
  throw new Problem(
    'malformed-request',
    `The application's name in the path must have 1 to ${longestName} characters, not only blanks, and no control characters.`,
  );
}

function refuseProtobuf({ request }: Exchange): void {
  if (
    !/^application\/(x-protobuf|protobuf|vnd\.google\.protobuf|grpc)/i.test(
      request.headers['content-type'] ?? '',
    )
  )
    return;
  throw new Problem(
    'unsupported-media-type',
    'Protobuf is not accepted here. Use an OTLP/JSON exporter: OTEL_EXPORTER_OTLP_PROTOCOL=http/json if the SDK supports it; @opentelemetry/exporter-trace-otlp-http for Node.js; opentelemetry-exporter-otlp-json-http for Python; `encoding: json` for the otlp_http exporter of the OpenTelemetry Collector.',
  );
}
