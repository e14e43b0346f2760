import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { edgeConfig } from '../../http-edge/config.js';
import { startEdge } from '../../http-edge/edge.js';
import { scopes } from '../../http-edge/keys/scopes.js';
import type { RegistryConfig } from '../../runtime/kafka/client/config.js';
import { createHealth } from '../../runtime/health.js';
import type { Appender } from '../../runtime/kafka/produce/appender.js';
import { silentLogger } from '../../runtime/logging.js';
import { createMetrics } from '../../runtime/metrics.js';
import { openCodec } from '../../runtime/registry/codec.js';
import { connectRegistry } from '../../runtime/registry/registry.js';
import { createInMemoryPorts, keyRecord } from '../../test/support/in-memory-ports.js';
import { ingestEvents } from '../../topics/ingest.js';
import { openBenchAppender, serveMeasured } from './measured.js';

export interface EventServerOptions {
  readonly kind: 'edge' | 'bare-http';
  readonly brokers: readonly string[];
  readonly registryConfig: RegistryConfig;
  readonly topic: string;
  readonly keyId: string;
  readonly secret: string;
}

/** The whole edge, but with another topic: nobody reads records that are only measured. */
async function startMeasuredEdge(options: EventServerOptions, appender: Appender): Promise<number> {
  const codec = await openCodec(ingestEvents, connectRegistry(options.registryConfig));
  const ports = createInMemoryPorts();
  ports.keys.set(options.keyId, keyRecord(options.keyId, options.secret, scopes));
  const edge = await startEdge({
    ports: {
      ...ports,
      requestLog: { ...ports.requestLog, pressure: appender.pressure },
      eventLog: {
        ...ports.eventLog,
        append: (events) =>
          appender.append(
            events.map((event) => ({
              topic: options.topic,
              key: `${event.workspace}:${event.metric}`,
              value: codec.encode(event),
            })),
          ),
      },
    },
    config: edgeConfig.parse({ EDGE_PORT: 0 }),
    logger: silentLogger,
    metrics: createMetrics(),
    health: createHealth(),
  });
  return edge.port;
}

/**
 * The minimum: append the address as it is under its metric, and answer. No key, check, schema or metrics.
 */
async function startBare({ topic }: EventServerOptions, appender: Appender): Promise<number> {
  const accept = async (url: string): Promise<void> => {
    const metric = url.slice(url.lastIndexOf('=') + 1);
    await appender.append([{ topic, key: metric, value: Buffer.from(url) }]);
  };
  const server = createServer((request, response) => {
    void accept(request.url ?? '').then(() => {
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      response.end('{"status":"accepted"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

serveMeasured(async (options: EventServerOptions) => {
  const appender = await openBenchAppender(options.brokers);
  return options.kind === 'edge' ? startMeasuredEdge(options, appender) : startBare(options, appender);
});
