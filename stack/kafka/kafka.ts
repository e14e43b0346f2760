import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TelltaleError, reasonOf } from '../../runtime/errors.js';
import { fetchOnce } from '../cache.js';
import { requireDigest } from '../digest.js';
import { pickFreePort } from '../ports.js';
import { processServer, type LocalServer } from '../process-server.js';
import type { Progress, ServerOptions } from '../server.js';
import { requireJava, runMaven } from '../tools.js';
import { brokerProperties, fencingProperties, type ClusterNode } from './broker-properties.js';
import { fenceKilledBroker, wasKilled } from './fence-broker.js';

const run = promisify(execFile);
const title = 'Kafka 4.3.1';
const digest = '6953bfc4d23c24004ed3d44b741c7a4538a923f476f85ff7cf086e87ead4b49c';
const clusterId = 'dGVsbHRhbGUtbG9jYWwtMQ';
const besideThis = (name: string): string => fileURLToPath(new URL(`./${name}`, import.meta.url));

export interface KafkaServerOptions extends ServerOptions {
  /** Properties of a secured broker, beside or instead of ours. */
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
  let java = 'java';
  let libraries = '';
  const runKafka = (flags: readonly string[], log: number): ChildProcess =>
    spawn(java, [...brokerFlags, ...flags, '-cp', `${libraries}/*`, 'kafka.Kafka', properties], {
      stdio: ['ignore', log, log],
      detached: true, // Ctrl-C in a terminal is ours to handle: the stages end first
    });

  const prepare = async (): Promise<void> => {
    java = await requireJava(title);
    libraries = await fetchKafka(options.progress);
    const controllerPort = cluster?.controllerPorts[cluster.nodeId - 1] ?? (await pickFreePort());
    // In a cluster the living controllers have fenced it, or do so before they accept it again.
    if (cluster === undefined && wasKilled(data)) {
      writeFileSync(properties, fencingProperties({ controllerPort, dataFolder: data }));
      await fenceKilledBroker({
        ...limits,
        ...options,
        title,
        spawn: (log) => runKafka(['-Dcontroller.level=INFO'], log),
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
      await format(java, libraries, properties, options.scramUsers ?? []);
  };

  return processServer(
    {
      name: cluster === undefined ? 'kafka' : `kafka-${cluster.nodeId}`,
      title,
      url: `127.0.0.1:${options.port}`,
      ...limits,
      prepare,
      launching: () =>
        Promise.resolve({
          spawn: (log) => runKafka([], log),
          isReady: (logged) => logged().includes('Kafka Server started'),
        }),
    },
    options,
  );
}

const limits = { startMs: 240_000, stopMs: 4_500 };

const commonFlags = [
  '-XX:+UseSerialGC',
  '-Xshare:auto',
  '-Djava.awt.headless=true',
  '-Djava.net.preferIPv4Stack=true',
  `-Dlog4j2.configurationFile=${besideThis('log4j2.xml')}`,
];
/**
 * Only the first compiler: a start costs 2.9 s of CPU instead of 4.5, and a local broker is started more than it is
 * used.
 */
const brokerFlags = ['-Xms64m', '-Xmx256m', '-XX:TieredStopAtLevel=1', ...commonFlags];

async function format(
  java: string,
  libraries: string,
  properties: string,
  scramUsers: readonly string[],
): Promise<void> {
  const tool = [
    'kafka.tools.StorageTool',
    'format',
    '--cluster-id',
    clusterId,
    '--ignore-formatted',
    '--config',
    properties,
    ...scramUsers.flatMap((user) => ['--add-scram', user]),
  ];
  try {
    await run(java, [
      '-Xmx128m',
      '-XX:TieredStopAtLevel=1',
      ...commonFlags,
      '-cp',
      `${libraries}/*`,
      ...tool,
    ]);
  } catch (cause) {
    const reason = `its data folder could not be formatted: ${reasonOf(cause)}`;
    throw new TelltaleError('SERVER_START_FAILED', { what: title, reason }, { cause });
  }
}

/** The jars of Kafka, by Maven into the cache. */
function fetchKafka(progress?: Progress): Promise<string> {
  return fetchOnce('kafka-4.3.1', async (folder) => {
    progress?.(`${title}: fetching it with Maven (46 MB, once)`);
    await runMaven(title, [
      '--file',
      besideThis('pom.xml'),
      'dependency:copy-dependencies',
      `-DoutputDirectory=${folder}`,
    ]);
    await requireDigest(title, folder, digest);
  });
}
