import { appendConfig, readConfig } from '../../runtime/config.js';
import type { Appender } from '../../runtime/kafka/appender.js';
import { openBatchingAppender } from '../../runtime/kafka/batching-appender.js';
import { silentLogger } from '../../runtime/logging.js';
import { createMetrics } from '../../runtime/metrics.js';

/** The producer that both sides of a comparison share. */
export async function openBenchAppender(brokers: readonly string[]): Promise<Appender> {
  return openBatchingAppender({
    brokers,
    clientId: 'bench',
    logger: silentLogger,
    metrics: createMetrics(),
    config: readConfig(appendConfig, {}),
  });
}

/**
 * Makes this process a server that is measured: the first message starts it, and is answered `{ port }` once it
 * listens; every other one is answered with the CPU time so far, in microseconds.
 */
export function serveMeasured(start: (options: never) => Promise<number>): void {
  process.once('message', (options: unknown) => {
    void start(options as never).then((port) => {
      process.on('message', () => {
        const { user, system } = process.cpuUsage();
        process.send?.({ cpu: user + system });
      });
      process.send?.({ port });
    });
  });
}
