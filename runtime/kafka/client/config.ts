import { z } from 'zod';
import { secret } from '../../secret.js';
import { commaList, positiveInteger } from '../../config.js';

const path = (description: string) => z.string().default('').describe(description);
const text = path;

/** How connections to Kafka are secured. */
const kafkaSecurityShape = {
  KAFKA_SECURITY_PROTOCOL: z
    .enum(['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'])
    .default('PLAINTEXT')
    .describe('Whether connections to Kafka are encrypted (`SSL`) and start with a sign-in (`SASL`).'),
  KAFKA_SASL_MECHANISM: z
    .enum(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'OAUTHBEARER'])
    .default('SCRAM-SHA-512')
    .describe('How a process signs in, if the protocol is one with SASL.'),
  KAFKA_SASL_USERNAME: text('User of PLAIN and SCRAM.'),
  KAFKA_SASL_PASSWORD: secret('Password of that user.'),
  KAFKA_OAUTH_TOKEN_URL: z
    .union([z.literal(''), z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' })])
    .default('')
    .describe(
      'Token endpoint of OAUTHBEARER, called with client credentials (RFC 6749, 4.4). Tokens are renewed before they expire. If it has a private CA, set NODE_EXTRA_CA_CERTS.',
    ),
  KAFKA_OAUTH_CLIENT_ID: text('Client id for the token endpoint.'),
  KAFKA_OAUTH_CLIENT_SECRET: secret('Secret of that client.'),
  KAFKA_OAUTH_SCOPE: text('Scope to ask the token endpoint for.'),
  KAFKA_TLS_CA_FILE: path(
    'PEM file of the authority that signs the certificates of the brokers; unset: the authorities that Node.js knows. Read again when it changes, like the next two.',
  ),
  KAFKA_TLS_CERTIFICATE_FILE: path('PEM file of the client certificate, if brokers require one (mTLS).'),
  KAFKA_TLS_KEY_FILE: path('PEM file of its key, without a passphrase.'),
};

export type KafkaSecurityConfig = z.output<z.ZodObject<typeof kafkaSecurityShape>>;

/** Reports contradictory settings at the start, not only when the first broker refuses a connection. */
function checkKafkaSecurity(config: KafkaSecurityConfig, context: z.RefinementCtx): void {
  const refuse = (name: keyof KafkaSecurityConfig, message: string): void =>
    context.addIssue({ code: 'custom', path: [name], message });
  const missing = (names: readonly (keyof KafkaSecurityConfig)[], why: string): void => {
    for (const name of names) if (config[name] === '') refuse(name, `is needed for ${why}`);
  };
  const useless = (names: readonly (keyof KafkaSecurityConfig)[], why: string): void => {
    for (const name of names) if (config[name] !== '') refuse(name, `is not used with ${why}`);
  };
  const protocol = `KAFKA_SECURITY_PROTOCOL=${config.KAFKA_SECURITY_PROTOCOL}`;
  const user = ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'] as const;
  const client = ['KAFKA_OAUTH_TOKEN_URL', 'KAFKA_OAUTH_CLIENT_ID', 'KAFKA_OAUTH_CLIENT_SECRET'] as const;
  const pair = ['KAFKA_TLS_CERTIFICATE_FILE', 'KAFKA_TLS_KEY_FILE'] as const;

  if (!signsIn(config)) useless([...user, ...client], protocol);
  else if (config.KAFKA_SASL_MECHANISM === 'OAUTHBEARER') missing(client, 'OAUTHBEARER');
  else missing(user, config.KAFKA_SASL_MECHANISM);
  if (!encrypts(config)) useless(['KAFKA_TLS_CA_FILE', ...pair], protocol);
  else if (pair.some((name) => config[name] !== '')) missing(pair, 'mTLS');
}

export function signsIn({ KAFKA_SECURITY_PROTOCOL: protocol }: KafkaSecurityConfig): boolean {
  return protocol.startsWith('SASL_');
}

export function encrypts({ KAFKA_SECURITY_PROTOCOL: protocol }: KafkaSecurityConfig): boolean {
  return protocol.endsWith('SSL');
}

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
  KAFKA_GROUP_INSTANCE_ID: z
    .string()
    .regex(/^[\w.-]{0,200}$/, 'must be up to 200 letters, digits, dots, hyphens and underscores')
    .default('')
    .describe(
      'Name of this process in its consumer groups, such as its host name; different for each process of a role. With it, a restart within KAFKA_SESSION_TIMEOUT_MS moves no partition (docs/scaling.md); unset, partitions move at each start and stop.',
    ),
  KAFKA_TOPIC_PARTITIONS: commaList('')
    .transform(partitionsOf)
    .describe(
      'Partitions of topics, where they are to be others than those of the catalogue, as in `scoring.requests=48,ingest.events=96`.',
    ),
  KAFKA_TOPIC_REPLICATION: positiveInteger(1).describe(
    'Minimum number of replicas of each partition: `telltale topics apply` adds missing ones. From 3 on, `min.insync.replicas` is 2.',
  ),
  KAFKA_TOPIC_COMPRESSION: z
    .enum(['', 'uncompressed', 'producer', 'gzip', 'lz4', 'snappy', 'zstd'])
    .default('')
    .describe(
      '`compression.type` of every topic, in which the brokers keep new records (docs/scaling.md); unset, it stays as it is, which is uncompressed unless somebody has set another.',
    ),
  KAFKA_TOPIC_SETTINGS_LEFT: commaList('').describe(
    'Settings of topics that are left as the brokers have them, where a managed Kafka lets nobody set them (docs/scaling.md), as in `segment.ms,min.cleanable.dirty.ratio`.',
  ),
  KAFKA_SESSION_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(3_000)
    .default(10_000)
    .describe(
      'After this long without a heartbeat, the partitions of a process and its replay go to others. Shorter: a killed process is replaced sooner; longer: a machine that stalls for a moment keeps them. Within `group.min.session.timeout.ms` and `group.max.session.timeout.ms` of the brokers.',
    ),
  SCHEMA_REGISTRY_URL: z
    .string()
    .default('http://127.0.0.1:8081/apis/ccompat/v7')
    .describe('Base URL of a registry that speaks the Confluent protocol.'),
  SCHEMA_REGISTRY_USER: z.string().default('').describe('Its user, if it requires one (basic auth).'),
  SCHEMA_REGISTRY_PASSWORD: secret('Password of that user.'),
  SCHEMA_REGISTRY_TOKEN: secret('Bearer token for the registry, instead of a user.'),
  SCHEMA_REGISTRY_TLS_CA_FILE: z
    .string()
    .default('')
    .describe(
      'PEM file of the authority that signs its certificate, if the URL is https; unset: the authorities that Node.js knows. Read again when it changes.',
    ),
};

export const kafkaConfig = z.object(kafkaShape).superRefine((config, context) => {
  checkKafkaSecurity(config, context);
  if (config.SCHEMA_REGISTRY_TOKEN !== '' && config.SCHEMA_REGISTRY_USER !== '')
    context.addIssue({
      code: 'custom',
      path: ['SCHEMA_REGISTRY_TOKEN'],
      message: 'SCHEMA_REGISTRY_USER is set too; keep one of them',
    });
});

export type KafkaConfig = z.output<typeof kafkaConfig>;

/** The address of the schema registry, and the credentials for it. */
export type RegistryConfig = Pick<
  KafkaConfig,
  'SCHEMA_REGISTRY_URL' | 'SCHEMA_REGISTRY_USER' | 'SCHEMA_REGISTRY_PASSWORD'
> &
  Partial<Pick<KafkaConfig, 'SCHEMA_REGISTRY_TOKEN' | 'SCHEMA_REGISTRY_TLS_CA_FILE'>>;

export const appendConfig = z.object({
  APPEND_LANES: positiveInteger(3).describe('Maximum number of concurrent requests to Kafka.'),
  APPEND_LINGER_MS: positiveInteger(2).describe(
    'How long a record waits for more records while another request is in flight; the first one never waits.',
  ),
  APPEND_BATCH_BYTES: positiveInteger(256 * 1024).describe('A batch of this many bytes waits no longer.'),
  APPEND_TIMEOUT_MS: positiveInteger(2_000).describe(
    'Appends that Kafka has not confirmed after this long are answered 503.',
  ),
  APPEND_SOFT_BYTES: positiveInteger(32 * 1024 * 1024).describe(
    'With more bytes in flight than this, new work is answered 429.',
  ),
  APPEND_HARD_BYTES: positiveInteger(64 * 1024 * 1024).describe(
    'With more bytes in flight than this, new work is answered 503.',
  ),
});

export type AppendConfig = z.output<typeof appendConfig>;
