import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pickFreePort } from '../ports.js';
import { processServer, type LocalServer } from '../process-server.js';
import type { Launch } from '../running-process.js';
import type { ServerOptions } from '../server.js';
import { brokerProperties, fencingProperties, type ClusterNode } from './broker-properties.js';
import { fenceKilledBroker, wasKilled } from './fence-broker.js';
import { formatFolder, kafkaProgram, limits, saysReady, spawnKafka, title } from './kafka-program.js';

export interface KafkaServerOptions extends ServerOptions {
  /** Properties of a secured broker, in addition to or instead of ours. */
  readonly properties?: (ports: { readonly controller: number }) => Readonly<Record<string, string>>;
  /** Users that exist from the first start, as arguments of `kafka-storage format --add-scram`. */
  readonly scramUsers?: readonly string[];
  /** A broker of a cluster has a name of its own, for its log and its pid file. */
  readonly cluster?: ClusterNode;
}

/** One Kafka broker in KRaft mode; `url` is its bootstrap address. */
export function kafkaServer(options: KafkaServerOptions): LocalServer {
  const { cluster } = options;
  const data = join(options.dataFolder, 'log');
  const properties = join(options.dataFolder, 'server.properties');

  const prepare = async (): Promise<Pick<Launch, 'spawn' | 'isReady'>> => {
    const program = await kafkaProgram(options.progress);
    const controllerPort = cluster?.controllerPorts[cluster.nodeId - 1] ?? (await pickFreePort());
    // In a cluster the other controllers have fenced it, or do so before they accept it again.
    if (cluster === undefined && wasKilled(data)) {
      writeFileSync(properties, fencingProperties({ controllerPort, dataFolder: data }));
      await fenceKilledBroker({
        ...limits,
        ...options,
        title,
        spawn: (log) => spawnKafka(program, properties, log, ['-Dcontroller.level=INFO']),
      });
    }
    const own = options.properties?.({ controller: controllerPort });
    writeFileSync(
      properties,
      brokerProperties({
        port: options.port,
        controllerPort,
        dataFolder: data,
        ...(cluster === undefined ? {} : { cluster }),
        ...(own && { properties: own }),
      }),
    );
    if (!existsSync(join(data, 'meta.properties')))
      await formatFolder(program, properties, options.scramUsers);
    return { spawn: (log) => spawnKafka(program, properties, log), isReady: saysReady };
  };

  return processServer(
    {
      name: cluster === undefined ? 'kafka' : `kafka-${cluster.nodeId}`,
      title,
      url: `127.0.0.1:${options.port}`,
      ...limits,
      prepare,
    },
    options,
  );
}
