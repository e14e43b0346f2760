import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TelltaleError, reasonOf } from '../../runtime/errors.js';
import { fetchOnce } from '../cache.js';
import { classArchive } from '../class-archive.js';
import { requireDigest } from '../digest.js';
import { pickFreePort } from '../ports.js';
import { launch } from '../running-process.js';
import type { Progress } from '../server.js';
import { requireJava, runMaven } from '../tools.js';
import { brokerProperties } from './broker-properties.js';

const run = promisify(execFile);
const version = '4.3.1';
const digest = '6953bfc4d23c24004ed3d44b741c7a4538a923f476f85ff7cf086e87ead4b49c';
const clusterId = 'dGVsbHRhbGUtbG9jYWwtMQ';
const besideThis = (name: string): string => fileURLToPath(new URL(`./${name}`, import.meta.url));

export const title = `Kafka ${version}`;
export const limits = { startMs: 240_000, stopMs: 4_500 };
export const saysReady = (logged: () => string): boolean => logged().includes('Kafka Server started');

/** How Kafka is run on this machine. */
export interface KafkaProgram {
  readonly java: string;
  /** The folder of its jars. */
  readonly libraries: string;
  /** Flags that make its classes load sooner. */
  readonly classes: readonly string[];
}

/** Fetches what is not there yet. Rejects with TOOL_MISSING or DOWNLOAD_FAILED. */
export async function kafkaProgram(progress?: Progress): Promise<KafkaProgram> {
  const java = await requireJava(title);
  const libraries = await fetchKafka(progress);
  const runOnce = (classes: readonly string[], folder: string): Promise<void> =>
    startAndStop({ java, libraries, classes }, folder);
  return { java, libraries, classes: await classArchive({ name: `kafka-${version}`, java, runOnce }) };
}

const commonFlags = [
  '-XX:+UseSerialGC',
  '-Xshare:auto',
  '-Djava.awt.headless=true',
  '-Djava.net.preferIPv4Stack=true',
  `-Dlog4j2.configurationFile=${besideThis('log4j2.xml')}`,
];
/** Only the first compiler: for a local broker, a fast start matters most. */
const brokerFlags = ['-Xms64m', '-Xmx256m', '-XX:TieredStopAtLevel=1', ...commonFlags];

/** Starts Kafka with this properties file. */
export function spawnKafka(
  { java, libraries, classes }: KafkaProgram,
  properties: string,
  log: number,
  flags: readonly string[] = [],
): ChildProcess {
  const all = [...brokerFlags, ...classes, ...flags, '-cp', `${libraries}/*`, 'kafka.Kafka', properties];
  return spawn(java, all, {
    stdio: ['ignore', log, log],
    detached: true, // Ctrl-C in a terminal is ours to handle: the stages end first
  });
}

/** Prepares the data folder of a broker, with users that exist from its first start. */
export async function formatFolder(
  { java, libraries, classes }: KafkaProgram,
  properties: string,
  scramUsers: readonly string[] = [],
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
  const flags = ['-Xmx128m', '-XX:TieredStopAtLevel=1', ...commonFlags, ...classes];
  try {
    await run(java, [...flags, '-cp', `${libraries}/*`, ...tool]);
  } catch (cause) {
    const reason = `its data folder could not be formatted: ${reasonOf(cause)}`;
    throw new TelltaleError('SERVER_START_FAILED', { what: title, reason }, { cause });
  }
}

/** Even a broker without topics loads the classes that any broker's start loads. */
async function startAndStop(program: KafkaProgram, folder: string): Promise<void> {
  const [port, controllerPort] = [await pickFreePort(), await pickFreePort()];
  const properties = join(folder, 'server.properties');
  writeFileSync(properties, brokerProperties({ port, controllerPort, dataFolder: join(folder, 'log') }));
  await formatFolder({ ...program, classes: [] }, properties);
  const broker = await launch({
    ...limits,
    stopMs: 60_000, // it writes its archive when it stops
    name: 'kafka',
    title,
    logFolder: folder,
    spawn: (log) => spawnKafka(program, properties, log),
    isReady: saysReady,
  });
  await broker.stop();
}

/** Kafka's jars, which Maven fetches into the cache. */
function fetchKafka(progress?: Progress): Promise<string> {
  return fetchOnce(`kafka-${version}`, async (folder) => {
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
