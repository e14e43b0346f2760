import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kafkaServer } from '../../stack/kafka/kafka.js';
import { pickFreePort } from '../../stack/ports.js';
import type { Server } from '../../stack/server.js';
import { brokerTls, scramUsers, signedInSettings, signIn, writeCertificates } from './secured-listener.js';

/** Three real brokers, each also a controller, which a test can kill and restart one by one. */
export interface KafkaCluster {
  /** Bootstrap addresses, in the order of `nodes`. */
  readonly brokers: string[];
  /** The settings of a process that reaches the same brokers by SCRAM over TLS. */
  readonly signedIn: Readonly<Record<string, string>>;
  /** Node 1, 2 and 3. */
  readonly nodes: readonly Server[];
  /** The active controller's index in `nodes`, according to the node with the given index. */
  readonly activeController: (asking: number) => number;
  stop(): Promise<void>;
}

const size = 3;

export async function startKafkaCluster(folder: string): Promise<KafkaCluster> {
  const ports = await Promise.all(Array.from({ length: 3 * size }, () => pickFreePort()));
  const controllerPorts = ports.slice(size, 2 * size);
  const signedInPorts = ports.slice(2 * size);
  const password = randomBytes(9).toString('base64url');
  const passwords = new Map([['admin', password]]);
  const certificates = join(folder, 'certificates');
  const files = writeCertificates(certificates);
  const dataOf = (index: number): string => join(folder, 'data', `kafka-${index + 1}`);
  const nodes = ports.slice(0, size).map((port, index) =>
    kafkaServer({
      port,
      portVariable: 'nothing: the tests pick a port by themselves',
      dataFolder: dataOf(index),
      logFolder: join(folder, 'logs'),
      cluster: { nodeId: index + 1, controllerPorts },
      scramUsers: scramUsers(passwords),
      properties: ({ controller }) => ({
        ...listeners({ port, controller, signedIn: signedInPorts[index] ?? 0 }),
        ...brokerTls(certificates),
        ...signIn(passwords),
      }),
    }),
  );
  const stop = async (): Promise<void> => {
    await Promise.allSettled(nodes.map((node) => node.stop()));
  };
  // No node is ready before a majority of the controllers runs.
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
  const signedIn = signedInSettings(
    signedInPorts.map((port) => `localhost:${port}`),
    'admin',
    password,
    files,
  );
  return { brokers: nodes.map(({ url }) => url), signedIn, nodes, activeController, stop };
}

/** A plain listener, also used between the brokers, and one that requires authentication. */
function listeners(
  ports: Readonly<Record<'port' | 'signedIn' | 'controller', number>>,
): Record<string, string> {
  const clients = `PLAINTEXT://127.0.0.1:${ports.port},SIGNED_IN://localhost:${ports.signedIn}`;
  return {
    listeners: `${clients},CONTROLLER://127.0.0.1:${ports.controller}`,
    'advertised.listeners': clients,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,SIGNED_IN:SASL_SSL,CONTROLLER:PLAINTEXT',
  };
}
