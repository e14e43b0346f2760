import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { clickhouseServer } from '../../stack/clickhouse/clickhouse.js';
import { analystAccount, type WorkspaceAnalyst } from '../../stack/clickhouse/workspace-analysts.js';
import { kafkaServer } from '../../stack/kafka/kafka.js';
import type { RegistryConfig } from '../../runtime/kafka/client/config.js';
import { endLeftover } from '../../runtime/process/pid-file.js';
import { requireFreePort } from '../../stack/ports.js';
import { registryServer } from '../../stack/registry/registry.js';
import type { LocalServer } from '../../stack/process-server.js';
import type { Account, Progress, ServerOptions } from '../../stack/server.js';
import { secretsOf, type Home, type Secrets } from './home.js';
import type { DevSettings } from './settings.js';

/** Users of ClickHouse. */
interface Accounts {
  readonly writer: Account;
  readonly edge: Account;
  readonly analyst: Account;
  /** Sees only the development workspace; an external ClickHouse might not have this user. */
  readonly workspaceAnalyst?: Account;
}

/** The addresses of the servers, whether they are ours or external. */
export interface Backbone extends Accounts {
  readonly brokers: string;
  readonly registry: RegistryConfig;
  readonly clickhouseUrl: string;
  /** The servers that this process starts and stops. */
  readonly ours: readonly LocalServer[];
}

/** The variable in dev.env that lists the addresses of the servers that `npm start` has started. */
export const ownServersVariable = 'TELLTALE_OWN_SERVERS';

/** Drops addresses that come from an earlier start's dev.env: they are no external servers of the user. */
export function withoutOwnServers(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = environment[ownServersVariable]?.split(' ') ?? [];
  const left = { ...environment };
  for (const name of ['KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL', 'CLICKHOUSE_URL'])
    if (own.includes(left[name] ?? '')) Reflect.deleteProperty(left, name);
  return left;
}

/** The servers that the settings ask for, not started yet: our own, unless an external one is configured. */
export function backboneOf(settings: DevSettings, home: Home, progress: Progress): Backbone {
  const options = (name: string, port: number, portVariable: string) => ({
    port,
    portVariable,
    progress,
    dataFolder: home.data(name),
    logFolder: home.logs,
  });
  const kafka =
    settings.KAFKA_BROKERS === undefined
      ? kafkaServer(options('kafka', settings.KAFKA_PORT, 'KAFKA_PORT'))
      : undefined;
  const secrets = secretsOf(home, settings);
  const account = { user: 'telltale', password: secrets.registry };
  const registry =
    settings.SCHEMA_REGISTRY_URL === undefined
      ? registryServer({ ...options('registry', settings.REGISTRY_PORT, 'REGISTRY_PORT'), account })
      : undefined;
  const clickhouse =
    settings.CLICKHOUSE_URL === undefined
      ? ownClickHouse(settings, secrets, options('clickhouse', settings.CLICKHOUSE_PORT, 'CLICKHOUSE_PORT'))
      : undefined;
  return {
    brokers: settings.KAFKA_BROKERS ?? kafka?.url ?? '',
    registry: registry === undefined ? givenRegistry(settings) : registryConfig(registry.url, account),
    clickhouseUrl: settings.CLICKHOUSE_URL ?? clickhouse?.server.url ?? '',
    ...(clickhouse?.accounts ?? givenAccounts(settings)),
    ours: [kafka, registry, clickhouse?.server].filter((server) => server !== undefined),
  };
}

function registryConfig(url: string, { user, password }: Account): RegistryConfig {
  return { SCHEMA_REGISTRY_URL: url, SCHEMA_REGISTRY_USER: user, SCHEMA_REGISTRY_PASSWORD: password };
}

function givenRegistry(settings: DevSettings): RegistryConfig {
  const { SCHEMA_REGISTRY_URL: url = '', SCHEMA_REGISTRY_USER, SCHEMA_REGISTRY_PASSWORD } = settings;
  return registryConfig(url, { user: SCHEMA_REGISTRY_USER, password: SCHEMA_REGISTRY_PASSWORD });
}

function ownClickHouse(
  { CLICKHOUSE_ANALYSTS }: DevSettings,
  secrets: Secrets,
  options: ServerOptions,
): { readonly server: LocalServer; readonly accounts: Accounts } {
  const isDevelopment = ({ workspace }: WorkspaceAnalyst): boolean => workspace === 'default';
  const made = { workspace: 'default', password: secrets.workspaceAnalyst };
  const developer = CLICKHOUSE_ANALYSTS.find(isDevelopment) ?? made;
  const others = CLICKHOUSE_ANALYSTS.filter((analyst) => !isDevelopment(analyst));
  const accounts = {
    writer: { user: 'telltale', password: secrets.writer },
    edge: { user: 'edge', password: secrets.edge },
    analyst: { user: 'analyst', password: secrets.analyst },
  };
  const server = clickhouseServer({ ...options, ...accounts, workspaceAnalysts: [developer, ...others] });
  return { server, accounts: { ...accounts, workspaceAnalyst: analystAccount(developer) } };
}

function givenAccounts(settings: DevSettings): Accounts {
  const reader = { user: settings.CLICKHOUSE_USER, password: settings.CLICKHOUSE_PASSWORD };
  return {
    writer: { user: settings.CLICKHOUSE_WRITER_USER, password: settings.CLICKHOUSE_WRITER_PASSWORD },
    edge: reader,
    analyst: reader,
  };
}

/** Ends only processes that an earlier run of this folder left behind when its supervisor was killed. */
export async function endLeftovers({ logs }: Home, say: Progress): Promise<void> {
  const pidFiles = readdirSync(logs).filter((name) => name.endsWith('.pid'));
  await Promise.all(
    pidFiles.map(async (name) => {
      if (await endLeftover(join(logs, name)))
        say(`ended ${name.replace('.pid', '')}, left by an earlier run`);
    }),
  );
}

/** Throws PORT_BUSY for the first port that is in use, before anything is started. */
export async function requireFreePorts(settings: DevSettings): Promise<void> {
  const wanted: readonly (readonly [keyof DevSettings & `${string}_PORT`, string, boolean])[] = [
    ['EDGE_PORT', 'the HTTP edge', true],
    ['AGENT_PORT', 'the agent', true],
    ['PROCESSORS_PORT', "the processors' operations endpoints", true],
    ['SINKS_PORT', "the sinks' operations endpoints", true],
    ['KAFKA_PORT', 'Kafka', settings.KAFKA_BROKERS === undefined],
    ['REGISTRY_PORT', 'the schema registry', settings.SCHEMA_REGISTRY_URL === undefined],
    ['CLICKHOUSE_PORT', 'ClickHouse', settings.CLICKHOUSE_URL === undefined],
  ];
  for (const [variable, what, needed] of wanted)
    if (needed) await requireFreePort(settings[variable], what, variable);
}
