import type { Metrics } from '../metrics.js';

/**
 * HTTP metrics, by route pattern and never by path, so that a scanner can't add series. Counts are kept in
 * plain numbers and handed over when they are scraped: a labelled counter costs more than the rest of the
 * accounting.
 */
export interface HttpMetrics {
  forRoute(method: string, pattern: string): RouteMeter;
  /** Refused requests, by the name of a problem or of a violation of HTTP. */
  rejected(reason: string): void;
}

export interface RouteMeter {
  readonly method: string;
  readonly pattern: string;
  started(): void;
  finished(status: number, seconds: number, bytesIn: number, bytesOut: number): void;
}

/** The status that counts a request whose client disconnected before its answer (as in nginx). */
export const clientClosed = 499;

export function createHttpMetrics(metrics: Metrics): HttpMetrics {
  const requests = metrics.counter('telltale_http_requests_total', 'Requests answered.', [
    'route',
    'method',
    'status',
  ]);
  const seconds = metrics.gatheredHistogram(
    'telltale_http_request_duration_seconds',
    'From the headers of a request to the end of its answer.',
    ['route', 'method'],
  );
  const inFlight = metrics.gauge('telltale_http_requests_in_flight', 'Requests waiting for their answer.');
  const received = metrics.counter('telltale_http_request_bytes_total', 'Body bytes received.', ['route']);
  const sent = metrics.counter('telltale_http_response_bytes_total', 'Body bytes sent.', ['route']);
  const rejections = metrics.counter('telltale_http_rejected_total', 'Requests refused, by reason.', [
    'reason',
  ]);

  const meters: { handOver(): void }[] = [];
  let waiting = 0;
  metrics.beforeReading(() => {
    inFlight.set(waiting);
    for (const meter of meters) meter.handOver();
  });
  return {
    rejected: (reason) => rejections.inc({ reason }),
    forRoute(method, pattern) {
      const observeDuration = seconds.gather(pattern, method);
      const byStatus = new Map<number, number>();
      let bytesReceived = 0;
      let bytesSent = 0;
      meters.push({
        handOver() {
          for (const [status, count] of byStatus) requests.labels(pattern, method, String(status)).inc(count);
          byStatus.clear();
          received.labels(pattern).inc(bytesReceived);
          sent.labels(pattern).inc(bytesSent);
          bytesReceived = 0;
          bytesSent = 0;
        },
      });
      return {
        method,
        pattern,
        started: () => void (waiting += 1),
        finished(status, took, bytesIn, bytesOut) {
          waiting -= 1;
          byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
          observeDuration(took);
          bytesReceived += bytesIn;
          bytesSent += bytesOut;
        },
      };
    },
  };
}
