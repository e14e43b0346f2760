import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { reasonOf } from '../../runtime/errors.js';
import type { RegistryConfig } from '../../runtime/kafka/client/config.js';
import type { Account, Server } from '../../stack/server.js';
import { localServers } from './local-servers.js';
import type { TestAccounts, TestServers } from './servers.js';

/** Real servers for the integration tests, shared by one mocha run. */
export interface TestStack {
  readonly brokers: string[];
  readonly registryConfig: RegistryConfig;
  readonly clickhouse: Omit<TestAccounts, 'registry'> & { readonly url: string };
  readonly kafka: Server;
  readonly registry: Server;
  readonly clickhouseServer: Server;
  /** The folder for data and logs of this run; removed with the stack. */
  readonly folder: string;
}

let shared: Promise<TestStack> | undefined;
let servers: TestServers | undefined;

/** Started by the first test that asks for it; a root hook (test/support/root-hooks.ts) stops it. */
export function theStack(): Promise<TestStack> {
  shared ??= startStack();
  return shared;
}

export async function stopTheStack(): Promise<void> {
  await shared?.catch(() => undefined);
  shared = undefined;
  if (servers !== undefined) await discard(servers);
  servers = undefined;
  if (process.env['KEEP_TEST_STACK'] === undefined) await rm(folder, { recursive: true, force: true });
}

const folder = resolve('.telltale-test', `${process.pid}-${randomBytes(3).toString('hex')}`);
const say = (line: string): void => console.log(`    [stack] ${line}`);
const password = (): string => randomBytes(12).toString('base64url');
const account = (user: string): Account => ({ user, password: password() });

async function startStack(): Promise<TestStack> {
  const accounts: TestAccounts = {
    writer: account('telltale'),
    edge: account('edge'),
    analyst: account('analyst'),
    workspaceAnalysts: ['fenced-a', 'fenced.b'].map((workspace) => ({ workspace, password: password() })),
    registry: account('telltale'),
  };
  servers = await startServers(accounts);
  const { kafka, registry, clickhouse } = servers;
  return {
    brokers: [kafka.url],
    registryConfig: {
      SCHEMA_REGISTRY_URL: registry.url,
      SCHEMA_REGISTRY_USER: accounts.registry.user,
      SCHEMA_REGISTRY_PASSWORD: accounts.registry.password,
    },
    clickhouse: { url: clickhouse.url, ...accounts },
    kafka,
    registry,
    clickhouseServer: clickhouse,
    folder,
  };
}

/** `TEST_STACK` is `local` or `containers`; without it, containers if an engine answers and can run them. */
async function startServers(accounts: TestAccounts): Promise<TestServers> {
  const wanted = process.env['TEST_STACK'] ?? 'auto';
  if (wanted === 'local') return started(await localServers(accounts, folder, say));
  const containers = await import('./container-servers.js'); // costs half a second, so only if it can be used
  if (wanted === 'containers') return started(await containers.containerServers(accounts, say));
  if (await containers.hasContainerEngine()) {
    try {
      return await started(await containers.containerServers(accounts, say));
    } catch (error) {
      say(`the container engine can't run the servers (${reasonOf(error)}): using local ones`);
    }
  }
  return started(await localServers(accounts, folder, say));
}

/** Starts all three at once; if one can't start, none remains running. */
async function started(those: TestServers): Promise<TestServers> {
  const starts = await Promise.allSettled(all(those).map((server) => server.start()));
  for (const start of starts) {
    if (start.status === 'fulfilled') continue;
    await discard(those);
    throw start.reason;
  }
  return those;
}

async function discard(those: TestServers): Promise<void> {
  await Promise.allSettled(all(those).map((server) => server.stop()));
  await those.remove();
}

const all = ({ kafka, registry, clickhouse }: TestServers): Server[] => [kafka, registry, clickhouse];
