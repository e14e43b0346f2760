import { join } from 'node:path';
import { clickhouseServer } from '../../stack/clickhouse/clickhouse.js';
import { kafkaServer } from '../../stack/kafka/kafka.js';
import { pickFreePort } from '../../stack/ports.js';
import { registryServer } from '../../stack/registry/registry.js';
import type { Progress, ServerOptions } from '../../stack/server.js';
import type { TestAccounts, TestServers } from './servers.js';

/** The local stack, on its own ports. */
export async function localServers(
  accounts: TestAccounts,
  folder: string,
  progress: Progress,
): Promise<TestServers> {
  const options = async (name: string): Promise<ServerOptions> => ({
    port: await pickFreePort(),
    portVariable: 'nothing: the tests pick a port by themselves',
    dataFolder: join(folder, 'data', name),
    logFolder: join(folder, 'logs'),
    progress,
  });
  return {
    kafka: kafkaServer(await options('kafka')),
    registry: registryServer({ ...(await options('registry')), account: accounts.registry }),
    clickhouse: clickhouseServer({ ...(await options('clickhouse')), ...accounts }),
    remove: () => Promise.resolve(),
  };
}
