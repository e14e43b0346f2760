import { untilAborted } from '../../runtime/backoff.js';
import { readConfig } from '../../runtime/config.js';
import { TelltaleError } from '../../runtime/errors.js';
import { secretsFromFiles } from '../../runtime/secret-files.js';
import type { Progress } from '../../stack/server.js';
import { banner, connectionVariables, type Addresses } from './banner.js';
import { agentKey, clientKey, developmentKey } from './development-key.js';
import { embeddingModelVariables } from './embedding-model.js';
import { readEnvFile, writeEnvFile } from './env-file.js';
import { beginAnew, openHome, type Home } from './home.js';
import {
  agentEnvironment,
  agentRole,
  pipelineEnvironment,
  rolesOf,
  superviseRole,
  untilReady,
  type Role,
} from './roles.js';
import { allSecrets, secretsOfPeople } from './secrets-by-process.js';
import { backboneOf, endLeftovers, requireFreePorts, withoutOwnServers, type Backbone } from './servers.js';
import { devConfig, type DevSettings } from './settings.js';
import { runTelltale } from './setup-command.js';
import { createShutdown, stopOnSignals, type Shutdown } from './shutdown.js';
import { stopWithNpm } from './stop-with-npm.js';
import { supervise } from './supervisor.js';

export interface DevOptions {
  /** Deletes all data, keys and passwords of earlier starts. */
  readonly fresh: boolean;
}

/** `npm start`: runs servers, topics, tables and roles until a signal. Rejects if something can't start. */
export async function runDev({ fresh }: DevOptions, given: NodeJS.ProcessEnv, say: Progress): Promise<void> {
  const environment = withoutOwnServers(withSecretsRead(given));
  // Servers and tools inherit the environment of this process, so the secrets are removed from it.
  for (const name of [...allSecrets, ...secretsOfPeople]) Reflect.deleteProperty(given, name);
  const settings = readConfig(devConfig, environment);
  const home = openHome(settings.TELLTALE_HOME);
  const shutdown = createShutdown(say);
  const unlisten = stopOnSignals(shutdown, say);
  const unwatch = stopWithNpm(shutdown, environment, say);
  try {
    await endLeftovers(home, say);
    if (fresh) beginAnew(home);
    await untilAborted(
      start({ settings, home, environment, shutdown, say }),
      shutdown.signal,
      () => undefined,
    );
    await untilAborted(new Promise<never>(() => undefined), shutdown.signal, () => undefined);
  } finally {
    await shutdown.run();
    unwatch();
    unlisten();
    home.release();
  }
}

/** Reads secrets from their files, so that each process gets only its own, and no file with others. */
function withSecretsRead(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { environment, problems } = secretsFromFiles(allSecrets, given);
  if (problems.length === 0) return environment;
  throw new TelltaleError('CONFIG_INVALID', { problems: problems.map((line) => `  ${line}`).join('\n') });
}

interface Start {
  readonly settings: DevSettings;
  readonly home: Home;
  readonly environment: NodeJS.ProcessEnv;
  readonly shutdown: Shutdown;
  readonly say: Progress;
}

async function start({ settings, home, environment: inherited, shutdown, say }: Start): Promise<void> {
  const began = Date.now();
  const { signal } = shutdown;
  await requireFreePorts(settings);
  const backbone = backboneOf(settings, home, say);
  const [model] = await Promise.all([
    embeddingModelVariables(inherited, say),
    startServers(backbone, home, shutdown, say),
  ]);
  const environment = { ...pipelineEnvironment(settings, backbone, home, inherited), ...model };

  say('applying topics, schemas and migrations');
  await Promise.all([
    runTelltale('topics apply', [], environment, signal),
    runTelltale('migrate', [], environment, signal),
  ]);

  await startRoles(rolesOf(settings), { home, environment, shutdown, say });

  const addresses = addressesOf(settings, backbone);
  const known = readEnvFile(home.envFile);
  const keys = await Promise.all([
    developmentKey(clientKey, addresses.edge, known['TELLTALE_API_KEY'], environment, signal),
    developmentKey(agentKey, addresses.edge, known['TELLTALE_AGENT_API_KEY'], environment, signal),
  ]);
  const [key, keyOfAgent] = keys;
  const ofAgent = { ...environment, ...agentEnvironment(settings, home, inherited, keyOfAgent) };
  const [link] = await Promise.all([
    runTelltale('sign-in-link', ['--url', addresses.edge], environment, signal),
    startRoles([agentRole(settings)], { home, environment: ofAgent, shutdown, say }),
  ]);

  const metricsToken = environment['METRICS_TOKEN'] ?? '';
  const variables = connectionVariables(
    addresses,
    { client: key, agent: keyOfAgent, metricsToken },
    backbone,
  );
  writeEnvFile(
    home.envFile,
    variables,
    'Settings to connect to the Telltale that `npm start` runs. Contains secrets.',
  );
  say(`everything is ready after ${((Date.now() - began) / 1000).toFixed(1)} s`);
  const isNew = key !== known['TELLTALE_API_KEY'];
  console.log(banner(addresses, home, isNew ? key : undefined, link.trim()));
}

async function startRoles(
  roles: readonly Role[],
  { home, environment, shutdown, say }: Omit<Start, 'settings'>,
): Promise<void> {
  const waits: Promise<void>[] = [];
  for (const role of roles) {
    shutdown.signal.throwIfAborted();
    const supervised = superviseRole(role, environment, home, say);
    shutdown.add(supervised); // one by one: they are stopped in reverse order
    await supervised.started;
    waits.push(untilReady(role, supervised, say, shutdown.signal));
  }
  await Promise.all(waits);
}

/** Starts all at once. If one can't start, waits for the others, so that all of them can be stopped. */
async function startServers(
  { ours }: Backbone,
  { logs: logFolder }: Home,
  shutdown: Shutdown,
  say: Progress,
): Promise<void> {
  if (ours.length > 0) say(`starting ${ours.map((server) => server.name).join(', ')}`);
  const supervised = ours.map((server) =>
    supervise({ name: server.name, logFolder, say, start: () => server.run() }),
  );
  shutdown.add(...supervised);
  const starts = await Promise.allSettled(supervised.map(({ started }) => started));
  for (const start of starts) if (start.status === 'rejected') throw start.reason;
  shutdown.signal.throwIfAborted();
}

function addressesOf(settings: DevSettings, backbone: Backbone): Addresses {
  const local = (port: number): string => `http://127.0.0.1:${port}`;
  return {
    edge: local(settings.EDGE_PORT),
    agent: local(settings.AGENT_PORT),
    processors: local(settings.PROCESSORS_PORT),
    sinks: local(settings.SINKS_PORT),
    clickhouse: backbone.clickhouseUrl,
    kafka: backbone.brokers,
    registry: backbone.registry.SCHEMA_REGISTRY_URL,
  };
}
