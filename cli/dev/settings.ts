import { z } from 'zod';
import { port } from '../../runtime/config.js';
import { secret } from '../../runtime/secret.js';
import { analystsConfig } from '../analysts-config.js';

const given = (what: string) =>
  z.string().optional().describe(`If set, this ${what} is used, and none is started.`);

/** The settings of `npm start`. The rest of the environment goes to the processes. */
export const devConfig = z.object({
  ...analystsConfig.shape,
  TELLTALE_HOME: z.string().default('.telltale').describe('Folder of data, logs and `dev.env`.'),
  EDGE_PORT: port(8080).describe('Port of the HTTP edge.'),
  AGENT_PORT: port(3774).describe('Port of the agent.'),
  CLICKHOUSE_PORT: port(8123).describe('Port of the ClickHouse that is started.'),
  KAFKA_PORT: port(9092).describe('Port of the Kafka broker that is started.'),
  REGISTRY_PORT: port(8081).describe('Port of the schema registry that is started.'),
  PROCESSORS_PORT: port(8090).describe('Port of the operations endpoints of the processors.'),
  SINKS_PORT: port(8091).describe('Port of the operations endpoints of the sinks.'),
  KAFKA_BROKERS: given('Kafka'),
  SCHEMA_REGISTRY_URL: given('registry'),
  SCHEMA_REGISTRY_USER: z.string().default('').describe('Its user, with SCHEMA_REGISTRY_URL.'),
  SCHEMA_REGISTRY_PASSWORD: secret('Password of that user.'),
  CLICKHOUSE_URL: given('ClickHouse'),
  CLICKHOUSE_WRITER_USER: z.string().default('telltale').describe('User that migrates and inserts.'),
  CLICKHOUSE_WRITER_PASSWORD: secret('Its password, with CLICKHOUSE_URL.'),
  CLICKHOUSE_USER: z
    .string()
    .default('analyst')
    .describe('Read-only user that `dev.env` names; with CLICKHOUSE_URL, the edge is this user too.'),
  CLICKHOUSE_PASSWORD: secret('Its password, with CLICKHOUSE_URL.'),
});

export type DevSettings = z.output<typeof devConfig>;
