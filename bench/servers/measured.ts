import { readConfig } from '../../runtime/config.js';
import { appendConfig } from '../../runtime/kafka/client/config.js';
import type { Appender } from '../../runtime/kafka/produce/appender.js';
import { openBatchingAppender } from '../../runtime/kafka/produce/batching-appender.js';
import { silentLogger } from '../../runtime/logging.js';
import { createMetrics } from '../../runtime/metrics.js';
import { plaintext } from '../../runtime/kafka/client/kafka-access.js';

/** The producer that both sides of a comparison share. */
export async function openBenchAppender(brokers: readonly string[]): Promise<Appender> {
  return openBatchingAppender({
    brokers,
    security: plaintext,
    clientId: 'bench',
    logger: silentLogger,
    metrics: createMetrics(),
    config: readConfig(appendConfig, {}),
  });
}

/** The figures that a measured server reports of itself. */
export interface MeasuredFigures {
  /** CPU time so far, in microseconds. */
  readonly cpu: number;
  /** Bytes of memory in use now. */
  readonly resident: number;
}

/**
 * Makes this process a measured server: the first message starts it, and is answered with `{ port }` once it
 * listens; every later one is answered with its figures so far.
 */
export function serveMeasured(start: (options: never) => Promise<number>): void {
  process.once('message', (options: unknown) => {
    void start(options as never).then((port) => {
      process.on('message', () => {
        const { user, system } = process.cpuUsage();
        const figures: MeasuredFigures = { cpu: user + system, resident: process.memoryUsage.rss() };
        process.send?.(figures);
      });
      process.send?.({ port });
    });
  });
}
