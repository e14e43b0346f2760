import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { scopes } from '../../http-edge/keys/scopes.js';
import type { Audit } from '../../runtime/clickhouse/audit.js';
import { applyTopics, migrateTables } from './applied.js';
import { auditOf, newKey, untilSinksCaughtUp } from './operator-questions.js';
import { role, roleFolder, stackEnvironment, type Role } from './roles.js';
import { theStack, type TestStack } from './stack.js';
import { until } from './until.js';
import { pickFreePort } from '../../stack/ports.js';

/** The whole product on the test stack, with a process per role, as `npm start` runs them. */
export interface Pipeline {
  readonly stack: TestStack;
  readonly edge: Role;
  readonly processors: Role;
  readonly sinks: Role;
  /** An API key with all scopes. */
  readonly key: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The folder for the stores and logs of this pipeline. */
  readonly folder: string;
  /** A second edge on the same topics, with these additional settings; the caller stops it. */
  anotherEdge(settings?: Readonly<Record<string, string>>): Promise<Role>;
  query<Row>(sql: string): Promise<readonly Row[]>;
  audit(): Promise<Audit>;
  /** Resolves once the sinks have committed every record of their topics. */
  sinkCaughtUp(): Promise<void>;
  stop(): Promise<void>;
}

/** The settings of a pipeline's roles, in addition to the addresses of the servers. */
export interface PipelineSettings {
  /** The test run's stack unless given. */
  readonly stack?: TestStack;
  /** For every role and command. */
  readonly all?: Readonly<Record<string, string>>;
  readonly edge?: Readonly<Record<string, string>>;
  /** Whether edges share the task statuses, each on two of them. */
  readonly edgesShare?: boolean;
  readonly processors?: Readonly<Record<string, string>>;
  readonly sinks?: Readonly<Record<string, string>>;
}

/**
 * Longer timeouts than the product's, so that a busy machine does not fail tests of something else. Separate
 * tests check the real timeouts; tests that stop servers restore the defaults.
 */
const patience = {
  APPEND_TIMEOUT_MS: '60000',
  EDGE_REALTIME_DEADLINE_SECONDS: '60',
  SCORING_TEXT_TIMEOUT_MS: '60000',
};
/** For tests in which Kafka fails: calls are then answered without a long wait. */
export const standardAppends = { APPEND_TIMEOUT_MS: '2000' };
/** For tests that kill processors or sinks: the successor waits only this long for the partitions. */
export const shortSessions = { KAFKA_SESSION_TIMEOUT_MS: '3000' };
/** The settings of crash tests, which kill and restart any process or server. */
export const killable: PipelineSettings = {
  edge: standardAppends,
  processors: shortSessions,
  sinks: shortSessions,
};

/** Starts a pipeline with its own processes, after stopping the shared one. */
export async function startPipeline(name: string, settings: PipelineSettings = {}): Promise<Pipeline> {
  await stopSharedPipeline();
  const processes = await startProcesses(name, settings);
  return pipelineOf(name, processes, () => stop(processes));
}

/**
 * The processes that the tests of a run share, each test with its own workspace and key. They stop when a
 * test starts its own pipeline or asks for other settings: both would work on the same partitions.
 */
export async function sharedPipeline(name: string, settings = ordinary): Promise<Pipeline> {
  if (shared?.settings !== settings) await stopSharedPipeline();
  shared ??= { settings, processes: startProcesses('shared', settings) };
  return pipelineOf(name, await shared.processes, () => Promise.resolve());
}

/** Also called after the last test of a run. */
export async function stopSharedPipeline(): Promise<void> {
  const started = await shared?.processes.catch(() => undefined);
  shared = undefined;
  if (started !== undefined) await stop(started);
}

const ordinary: PipelineSettings = {};
let shared: { readonly settings: PipelineSettings; readonly processes: Promise<Processes> } | undefined;

async function stop({ edge, processors, sinks }: Processes): Promise<void> {
  await Promise.all([edge.stop(), processors.stop(), sinks.stop()]);
}

async function pipelineOf(
  name: string,
  processes: Processes,
  stopProcesses: () => Promise<void>,
): Promise<Pipeline> {
  const { stack, edge, environment } = processes;
  const key = await newKey(environment, name, scopes);
  await until('the edge knows the key', async () => {
    const answer = await fetch(`${edge.url}/api/v1/keys`, { headers: { authorization: `Bearer ${key}` } });
    return answer.ok;
  });
  return {
    ...processes,
    key,
    query: <Row>(sql: string) => queryAsWriter<Row>(stack, sql),
    audit: () => auditOf(stack),
    sinkCaughtUp: () => untilSinksCaughtUp(stack),
    stop: stopProcesses,
  };
}

type Processes = Pick<
  Pipeline,
  'stack' | 'edge' | 'processors' | 'sinks' | 'environment' | 'folder' | 'anotherEdge'
>;

async function sharingStatuses(secret: string): Promise<Readonly<Record<string, string>>> {
  const port = String(await pickFreePort());
  return {
    STATUS_VIEW: 'sharded',
    STATUS_VIEW_COPIES: '2',
    EDGE_PEER_PORT: port,
    EDGE_PEER_URL: `http://127.0.0.1:${port}`,
    EDGE_PEER_SECRET: secret,
  };
}

async function startProcesses(name: string, settings: PipelineSettings): Promise<Processes> {
  const stack = settings.stack ?? (await theStack());
  const folder = roleFolder(stack.folder, `${name}-${randomUUID().slice(0, 8)}`);
  const environment = { ...stackEnvironment(stack), ...settings.all };
  await Promise.all([applyTopics(stack, settings.all), migrateTables(stack, settings.all)]);
  const secret = randomUUID();
  const edgeRole = async (instance: string, more: Readonly<Record<string, string>> = {}): Promise<Role> =>
    role({
      command: 'edge',
      portVariable: 'EDGE_PORT',
      environment: {
        ...environment,
        ...patience,
        ...settings.edge,
        ...more,
        ...(settings.edgesShare === true && (await sharingStatuses(secret))),
        TELLTALE_STATE: join(folder, instance),
      },
      logFile: join(folder, `${instance}.log`),
    });
  const edge = await edgeRole('edge');
  const processors = await role({
    command: 'processors',
    portVariable: 'PROCESSORS_PORT',
    environment: { ...environment, ...patience, ...settings.processors },
    logFile: join(folder, 'processors.log'),
  });
  const sinks = await role({
    command: 'sinks',
    portVariable: 'SINKS_PORT',
    environment: { ...environment, ...settings.sinks },
    logFile: join(folder, 'sinks.log'),
  });
  await Promise.all([edge.start(), processors.start(), sinks.start()]);
  return {
    stack,
    edge,
    processors,
    sinks,
    environment,
    folder,
    async anotherEdge(more) {
      const another = await edgeRole(`edge-${randomUUID().slice(0, 8)}`, more);
      await another.start();
      return another;
    },
  };
}

async function queryAsWriter<Row>(stack: TestStack, sql: string): Promise<readonly Row[]> {
  const { url, writer } = stack.clickhouse;
  const answer = await fetch(url, {
    method: 'POST',
    body: `${sql} FORMAT JSONEachRow`,
    headers: { 'X-ClickHouse-User': writer.user, 'X-ClickHouse-Key': writer.password },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`ClickHouse: ${text}`);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}
