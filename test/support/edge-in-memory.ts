import { edgeConfig, type EdgeConfig } from '../../http-edge/config.js';
import { startEdge } from '../../http-edge/edge.js';
import type { EdgePorts } from '../../http-edge/ports.js';
import { scopes } from '../../http-edge/keys/scopes.js';
import { systemClock, type Clock } from '../../runtime/clock.js';
import { createHealth, type Health } from '../../runtime/health.js';
import { silentLogger, type Logger } from '../../runtime/logging.js';
import { createMetrics, type Metrics } from '../../runtime/metrics.js';
import { createInMemoryPorts, keyRecord, type InMemoryPorts } from './in-memory-ports.js';

/** A real edge on a free port, over in-memory ports, with a key with all scopes. */
export interface EdgeInMemory {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly ports: InMemoryPorts;
  readonly health: Health;
  readonly metrics: Metrics;
  /** A POST of JSON with the key; `headers` override the standard ones. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  stop(): Promise<void>;
}

interface Options {
  /** Reads batches where they are requested, unless another reader is given. */
  readonly batchReader?: EdgePorts['batchReader'];
  readonly config?: Partial<EdgeConfig>;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly metricsToken?: string;
  readonly signIn?: EdgePorts['signIn'];
}

export async function startEdgeInMemory(options: Options = {}): Promise<EdgeInMemory> {
  const inMemory = createInMemoryPorts();
  const secret = 'the-secret-of-the-test-key';
  inMemory.keys.set('testkey', keyRecord('testkey', secret, scopes));
  const token = `tt_testkey_${secret}`;
  const health = createHealth();
  const metrics = createMetrics();
  const config = { ...edgeConfig.parse({ EDGE_PORT: 0 }), ...options.config };
  const { clock = systemClock, logger = silentLogger, metricsToken = '' } = options;
  const ports = {
    ...inMemory,
    batchReader: options.batchReader ?? inMemory.batchReader,
    signIn: options.signIn,
  };
  const edge = await startEdge({ ports, config, logger, metrics, metricsToken, health, clock });
  const standard = { authorization: `Bearer ${token}`, accept: 'application/json' };
  return {
    url: edge.url,
    port: edge.port,
    token,
    ports,
    health,
    metrics,
    post: (path, body, headers = {}) =>
      fetch(`${edge.url}${path}`, {
        method: 'POST',
        headers: { ...standard, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    get: (path, headers = {}) =>
      fetch(`${edge.url}${path}`, { headers: { ...standard, ...headers }, redirect: 'manual' }),
    stop: () => edge.stop(),
  };
}
