import { z } from 'zod';
import { TelltaleError } from './errors.js';
import { checkKafkaSecurity, kafkaSecurityShape } from './kafka/security/config.js';
import { isSecret, secret } from './secret.js';
import { secretsFromFiles, type Environment } from './secret-files.js';

/**
 * Configuration is environment variables, validated once at the start of a process, all errors at once.
 * A section is a zod object whose keys are the variables' names; `describe()` is what docs/configuration.md prints.
 */
export type ConfigSection = z.ZodObject;

/**
 * Reads a section from the environment, and its secrets from files where `…_FILE` names one. Empty strings count as
 * unset, as in `EDGE_PORT= npm start`.
 */
export function readConfig<Section extends ConfigSection>(
  section: Section,
  environment: Environment,
): z.output<Section> {
  const withSecrets = secretsFromFiles(secretsOf(section), environment);
  const given = Object.fromEntries(
    Object.entries(withSecrets.environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = section.safeParse(given);
  if (parsed.success && withSecrets.problems.length === 0) return parsed.data;
  const invalid = (parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const problems = [...withSecrets.problems, ...invalid].map((problem) => `  ${problem}`).join('\n');
  throw new TelltaleError('CONFIG_INVALID', { problems });
}

/** The names of a section's settings that may come from a file. */
export function secretsOf(section: ConfigSection): readonly string[] {
  return Object.entries<z.core.$ZodType>(section.shape).flatMap(([name, schema]) =>
    isSecret(schema) ? [name] : [],
  );
}

export const port = (standard: number) => z.coerce.number().int().min(0).max(65535).default(standard);
export const positiveInteger = (standard: number) => z.coerce.number().int().positive().default(standard);
export const flag = (standard: boolean) =>
  z
    .enum(['true', 'false', '1', '0'])
    .default(standard ? 'true' : 'false')
    .transform((text) => text === 'true' || text === '1');
export const commaList = (standard: string) =>
  z
    .string()
    .default(standard)
    .transform((text) =>
      text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    );

export const loggingConfig = z.object({
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
    .default('info')
    .describe('Least severe level that is logged.'),
  LOG_FORMAT: z
    .enum(['auto', 'json', 'pretty'])
    .default('auto')
    .describe('`auto`: pretty on a terminal, JSON elsewhere.'),
});

export const operationsConfig = z.object({
  METRICS_TOKEN: secret('Where given, `/metrics` of every process needs `Authorization: Bearer <token>`.'),
  OPERATIONS_ALLOWED_HOSTS: commaList('')
    .transform((names) => names.map((name) => name.toLowerCase()))
    .describe(
      'Comma-separated names (without port) under which others ask for the operations endpoints; loopback and the own address always work.',
    ),
});

export type OperationsConfig = z.output<typeof operationsConfig>;

function partitionsOf(
  entries: readonly string[],
  context: z.RefinementCtx,
): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const entry of entries) {
    const [, topic = '', count = ''] = /^([\w.-]+)=([1-9]\d{0,4})$/.exec(entry) ?? [];
    if (topic === '') context.addIssue({ code: 'custom', message: `${entry} is not <topic>=<partitions>` });
    else counts[topic] = Number(count);
  }
  return counts;
}

const kafkaShape = {
  KAFKA_BROKERS: commaList('127.0.0.1:9092').describe('Comma-separated bootstrap addresses.'),
  ...kafkaSecurityShape,
  KAFKA_TOPIC_PARTITIONS: commaList('')
    .transform(partitionsOf)
    .describe(
      'Partitions of topics, where they are to be others than those of the catalogue, as in `scoring.requests=48,ingest.events=96`.',
    ),
  KAFKA_TOPIC_REPLICATION: positiveInteger(1).describe(
    'Replication factor of topics that are created; from 3 on, `min.insync.replicas` is 2.',
  ),
  SCHEMA_REGISTRY_URL: z
    .string()
    .default('http://127.0.0.1:8081/apis/ccompat/v7')
    .describe('Base URL of a registry that speaks the Confluent protocol.'),
  SCHEMA_REGISTRY_USER: z.string().default('').describe('Its user, where it asks for one (basic auth).'),
  SCHEMA_REGISTRY_PASSWORD: secret('Password of that user.'),
  SCHEMA_REGISTRY_TOKEN: secret('Bearer token for the registry, instead of a user.'),
  SCHEMA_REGISTRY_TLS_CA_FILE: z
    .string()
    .default('')
    .describe(
      'PEM file of the authority that signs its certificate, where the URL is https; unset: those that Node.js knows. Read again when it changes.',
    ),
};

export const kafkaConfig = z.object(kafkaShape).superRefine((config, context) => {
  checkKafkaSecurity(config, context);
  if (config.SCHEMA_REGISTRY_TOKEN !== '' && config.SCHEMA_REGISTRY_USER !== '')
    context.addIssue({
      code: 'custom',
      path: ['SCHEMA_REGISTRY_TOKEN'],
      message: 'SCHEMA_REGISTRY_USER is given too; keep one of them',
    });
});

export type KafkaConfig = z.output<typeof kafkaConfig>;

/** Where the schema registry is, and who asks it. */
export type RegistryConfig = Pick<
  KafkaConfig,
  'SCHEMA_REGISTRY_URL' | 'SCHEMA_REGISTRY_USER' | 'SCHEMA_REGISTRY_PASSWORD'
> &
  Partial<Pick<KafkaConfig, 'SCHEMA_REGISTRY_TOKEN' | 'SCHEMA_REGISTRY_TLS_CA_FILE'>>;

export const clickhouseConfig = z.object({
  CLICKHOUSE_URL: z
    .string()
    .default('http://127.0.0.1:8123')
    .describe('HTTP or HTTPS address of ClickHouse.'),
  CLICKHOUSE_TLS_CA_FILE: z
    .string()
    .default('')
    .describe(
      'PEM file of the authority that signs its certificate, where the URL is https; unset: those that Node.js knows. Read again when it changes, like the next two.',
    ),
  CLICKHOUSE_TLS_CERTIFICATE_FILE: z
    .string()
    .default('')
    .describe('PEM file of the client certificate, where ClickHouse asks for one.'),
  CLICKHOUSE_TLS_KEY_FILE: z.string().default('').describe('PEM file of its key, without a passphrase.'),
  CLICKHOUSE_WRITER_USER: z.string().default('telltale').describe('User that migrates and inserts.'),
  CLICKHOUSE_WRITER_PASSWORD: secret('Its password.'),
});

export const clickhouseReaderConfig = z.object({
  CLICKHOUSE_USER: z.string().default('edge').describe('User that may only read.'),
  CLICKHOUSE_PASSWORD: secret('Its password.'),
});

export const appendConfig = z.object({
  APPEND_LANES: positiveInteger(3).describe('Requests to Kafka that may be under way at once.'),
  APPEND_LINGER_MS: positiveInteger(2).describe(
    'How long a record waits for company while another request is under way; the first one never waits.',
  ),
  APPEND_BATCH_BYTES: positiveInteger(256 * 1024).describe('A batch of so many bytes waits no longer.'),
  APPEND_TIMEOUT_MS: positiveInteger(2_000).describe(
    'What Kafka has not confirmed after so long is answered 503.',
  ),
  APPEND_SOFT_BYTES: positiveInteger(32 * 1024 * 1024).describe(
    'With more bytes in flight than this, new work is answered 429.',
  ),
  APPEND_HARD_BYTES: positiveInteger(64 * 1024 * 1024).describe(
    'With more bytes in flight than this, new work is answered 503.',
  ),
});

export type AppendConfig = z.output<typeof appendConfig>;
