import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kafkaServer } from '../../stack/kafka/kafka.js';
import { pickFreePort } from '../../stack/ports.js';
import type { Server } from '../../stack/server.js';

/** Three real brokers, each also a controller, which a test may kill and restart one by one. */
export interface KafkaCluster {
  /** Bootstrap addresses, in the order of `nodes`. */
  readonly brokers: string[];
  /** Node 1, 2 and 3. */
  readonly nodes: readonly Server[];
  /** The active controller's index in `nodes`, as the node with the given index knows it. */
  readonly activeController: (asking: number) => number;
  stop(): Promise<void>;
}

const size = 3;

export async function startKafkaCluster(folder: string): Promise<KafkaCluster> {
  const ports = await Promise.all(Array.from({ length: 2 * size }, () => pickFreePort()));
  const controllerPorts = ports.slice(size);
  const dataOf = (index: number): string => join(folder, 'data', `kafka-${index + 1}`);
  const nodes = ports.slice(0, size).map((port, index) =>
    kafkaServer({
      port,
      portVariable: 'nothing: the tests pick a port by themselves',
      dataFolder: dataOf(index),
      logFolder: join(folder, 'logs'),
      cluster: { nodeId: index + 1, controllerPorts },
    }),
  );
  const stop = async (): Promise<void> => {
    await Promise.allSettled(nodes.map((node) => node.stop()));
  };
  // None is ready before a majority of the controllers runs.
  const started = await Promise.allSettled(nodes.map((node) => node.start()));
  const failed = started.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    await stop();
    throw failed.reason;
  }
  const activeController = (asking: number): number => {
    const state = readFileSync(join(dataOf(asking), 'log', '__cluster_metadata-0', 'quorum-state'), 'utf8');
    return (JSON.parse(state) as { leaderId: number }).leaderId - 1;
  };
  return { brokers: nodes.map(({ url }) => url), nodes, activeController, stop };
}
