import { newSecret } from '../http-edge/keys/key-format.js';
import type { RegistryConfig } from '../runtime/kafka/client/config.js';
import { ingestEvents } from '../topics/ingest.js';
import type { FiguresComparison } from './comparison.js';
import { createTopics } from './create-topics.js';
import { startChild, type Child } from './servers/child.js';
import type { EventServerOptions } from './servers/event-server.js';
import type { Load, LoadResult } from './servers/load.js';

export interface EventBench {
  readonly comparison: FiguresComparison;
  stop(): Promise<void>;
}

interface EventBenchOptions {
  readonly brokers: readonly string[];
  /** The registry has the schemas of the catalogue: `telltale topics apply`. */
  readonly registryConfig: RegistryConfig;
  readonly pairs?: number;
  readonly seconds?: number;
}

const connections = 64;
const keyId = 'bench';
const topic = 'bench.events';
const metrics = 50;

/**
 * Accepting one custom event by GET with acks of all replicas, compared with a bare `node:http` server with
 * the same producer: requests per CPU-second of the server, and requests per second, both from the same runs.
 */
export async function openEventBench(options: EventBenchOptions): Promise<EventBench> {
  const { brokers, registryConfig, pairs = 5, seconds = 4 } = options;
  await createTopics(brokers, [{ topic, numPartitions: ingestEvents.partitions }]);
  const secret = newSecret();
  const load = startChild(new URL('./servers/load.js', import.meta.url));
  const start = async (kind: EventServerOptions['kind']): Promise<MeasuredServer> => {
    const child = startChild(new URL('./servers/event-server.js', import.meta.url));
    const wanted: EventServerOptions = { kind, brokers, registryConfig, topic, keyId, secret };
    const { port } = (await child.ask(wanted)) as { port: number };
    return { child, url: `http://127.0.0.1:${port}` };
  };
  const [edge, bare] = await Promise.all([start('edge'), start('bare-http')]);
  const run = (server: MeasuredServer): Promise<readonly number[]> => measure(server, load, secret, seconds);
  const what = `(acks=all, ${connections} connections)`;
  return {
    comparison: {
      pairs,
      floorName: 'bare node:http, same batching producer',
      figures: [
        {
          name: `events accepted by GET, CPU ${what}`,
          unit: 'requests per CPU-second of the edge',
          target: { atLeast: 0.6 },
        },
        { name: `events accepted by GET, throughput ${what}`, unit: 'requests/s', target: { atLeast: 0.6 } },
      ],
      ours: () => run(edge),
      floor: () => run(bare),
    },
    async stop() {
      await Promise.all([load, edge.child, bare.child].map((child) => child.stop()));
    },
  };
}

interface MeasuredServer {
  readonly child: Child;
  readonly url: string;
}

/** Requests per CPU-second, and requests per second. */
async function measure(
  { child, url }: MeasuredServer,
  generator: Child,
  secret: string,
  seconds: number,
): Promise<readonly number[]> {
  const query = `apiKey=tt_${keyId}_${secret}&type=distribution&value=0.25&cluster=eu-1&metric=checkout.seconds`;
  const paths = Array.from({ length: metrics }, (_, number) => `/?${query}.${number}`);
  const load: Load = { url, headers: {}, paths, connections, seconds };
  const before = await cpuOf(child);
  const result = (await generator.ask(load)) as LoadResult;
  const used = (await cpuOf(child)) - before;
  if (result.bad > 0) throw new Error(`${url} refused ${result.bad} requests`);
  return [(result.good * 1e6) / used, result.good / result.seconds];
}

async function cpuOf(child: Child): Promise<number> {
  return ((await child.ask({})) as { cpu: number }).cpu;
}
