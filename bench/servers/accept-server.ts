import type { AddressInfo } from 'node:net';
import { edgeConfig } from '../../http-edge/config.js';
import { startEdge } from '../../http-edge/edge.js';
import { scopes } from '../../http-edge/keys/scopes.js';
import type { RequestLog } from '../../http-edge/ports.js';
import type { RegistryConfig } from '../../runtime/kafka/client/config.js';
import { createHealth } from '../../runtime/health.js';
import { silentLogger } from '../../runtime/logging.js';
import { createMetrics } from '../../runtime/metrics.js';
import { openCodecs } from '../../runtime/registry/codec-book.js';
import { connectRegistry } from '../../runtime/registry/registry.js';
import { createInMemoryPorts, keyRecord } from '../../test/support/in-memory-ports.js';
import { scoringRequests, taskStatus } from '../../topics/scoring.js';
import { bareHttpServer, type FloorTopics } from '../floors/bare-http.js';
import { expressJsonServer } from '../floors/express-json.js';
import { openBenchAppender, serveMeasured } from './measured.js';
import { plaintext } from '../../runtime/kafka/client/kafka-access.js';

/** One of the servers that accept tasks, in a process of its own, so that its CPU time is its own. */
export const acceptServerKinds = ['edge', 'bare-http', 'express-json'] as const;
export type AcceptServerKind = (typeof acceptServerKinds)[number];

export interface AcceptServerOptions {
  readonly kind: AcceptServerKind;
  readonly brokers: readonly string[];
  readonly registryConfig: RegistryConfig;
  readonly topics: FloorTopics;
  readonly keyId: string;
  readonly secret: string;
}

const logger = silentLogger;

/** The edge's appends, redirected to the bench's topics: nobody processes records that are only measured. */
async function requestLogOf(options: AcceptServerOptions): Promise<RequestLog> {
  const appender = await openBenchAppender(options.brokers);
  const codecs = await openCodecs([scoringRequests, taskStatus], connectRegistry(options.registryConfig));
  const requests = codecs.of(scoringRequests);
  const statuses = codecs.of(taskStatus);
  const unused = (): never => {
    throw new RangeError('the bench accepts plain tasks alone');
  };
  return {
    pressure: appender.pressure,
    appendTasks: (tasks) =>
      appender.append(
        tasks.map(({ queued }) => ({
          topic: options.topics.status,
          key: queued.task_id,
          value: statuses.encode(queued),
        })),
        tasks.map(({ request }) => ({
          topic: options.topics.requests,
          key: request.id,
          value: requests.encode(request),
        })),
      ),
    appendTasksOnce: unused,
    appendRealtime: unused,
  };
}

const starters: Readonly<Record<AcceptServerKind, (options: AcceptServerOptions) => Promise<number>>> = {
  async edge(options) {
    const ports = createInMemoryPorts();
    ports.keys.set(options.keyId, keyRecord(options.keyId, options.secret, scopes));
    const edge = await startEdge({
      ports: { ...ports, requestLog: await requestLogOf(options) },
      config: edgeConfig.parse({ EDGE_PORT: 0 }),
      logger,
      metrics: createMetrics(),
      health: createHealth(),
    });
    return edge.port;
  },
  async 'bare-http'(options) {
    const server = bareHttpServer(await openBenchAppender(options.brokers), options.topics);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  },
  async 'express-json'(options) {
    const kafka = { brokers: options.brokers, security: plaintext, clientId: 'bench', logger };
    const app = await expressJsonServer(kafka, options.topics.requests);
    return new Promise((resolve) => {
      const server = app.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
  },
};

serveMeasured((options: AcceptServerOptions) => starters[options.kind](options));
