import type { Logger } from '../../logging.js';

const tellEveryMs = 60_000;
let toldAt = -Infinity;

/** Logs that a broker slows this process down because of a quota, once a minute at most. */
export function tellThrottling(logger: Logger, request: 'produce' | 'fetch', throttledMs: number): void {
  if (throttledMs <= 0 || performance.now() - toldAt < tellEveryMs) return;
  toldAt = performance.now();
  logger.warn(
    { event: 'kafka-throttles', request, throttledMs },
    'a quota of Kafka slows this process down: raise it, or send less',
  );
}
