import { createServer } from 'node:http';
import { mkdtempSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { edgeConfig } from '../../http-edge/config.js';
import { startEdge } from '../../http-edge/edge.js';
import { scopes } from '../../http-edge/keys/scopes.js';
import { startStatusView } from '../../http-edge/status-view/status-view.js';
import { createHealth } from '../../runtime/health.js';
import { silentLogger } from '../../runtime/logging.js';
import { createMetrics } from '../../runtime/metrics.js';
import { createInMemoryPorts, keyRecord } from '../../test/support/in-memory-ports.js';
import { taskStatus } from '../../topics/scoring.js';
import { benchWorkspace, statusCodec } from '../status-topic.js';
import { plaintext } from '../../runtime/kafka/client/kafka-access.js';

/** A server that answers status questions, in a process of its own, so that its CPU time is its own. */
export type StatusServerOptions =
  | {
      readonly kind: 'edge';
      readonly brokers: readonly string[];
      readonly topic: string;
      readonly keyId: string;
      readonly secret: string;
    }
  /** The minimum for a server: the same bytes for every request. */
  | { readonly kind: 'bare-http'; readonly body: string };

async function startReading(options: Extract<StatusServerOptions, { kind: 'edge' }>): Promise<number> {
  const health = createHealth();
  const metrics = createMetrics();
  const view = startStatusView({
    folder: join(mkdtempSync(join(tmpdir(), 'telltale-reads-')), 'view'),
    retentionMs: 7 * 86_400_000,
    topic: { ...taskStatus, name: options.topic },
    codec: statusCodec(),
    kafka: { brokers: options.brokers, security: plaintext, clientId: 'bench', logger: silentLogger },
    condition: health.condition('status view'),
    metrics,
  });
  while (!health.readiness().ready) await sleep(10);
  const ports = createInMemoryPorts();
  ports.keys.set(options.keyId, {
    ...keyRecord(options.keyId, options.secret, scopes),
    workspace: benchWorkspace,
  });
  const edge = await startEdge({
    ports: { ...ports, taskStatusView: view },
    config: edgeConfig.parse({ EDGE_PORT: 0 }),
    logger: silentLogger,
    metrics,
    health,
  });
  return edge.port;
}

async function startBare(body: string): Promise<number> {
  const bytes = Buffer.from(body);
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Answers `{ port }` once it listens, then its CPU time in microseconds to every message. */
process.once('message', (options: StatusServerOptions) => {
  const started = options.kind === 'edge' ? startReading(options) : startBare(options.body);
  void started.then((port) => {
    process.on('message', () => {
      const { user, system } = process.cpuUsage();
      process.send?.({ cpu: user + system });
    });
    process.send?.({ port });
  });
});
