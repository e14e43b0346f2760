import { z } from 'zod';
import { commaList, positiveInteger } from '../../config.js';
import { secret } from '../../secret.js';
import { checkKafkaSecurity, kafkaSecurityShape } from './security/config.js';

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
      'Name of this process in its consumer groups, another for each process of a role, such as its host. With it a restart within KAFKA_SESSION_TIMEOUT_MS moves no partition (docs/scaling.md); unset, partitions move at each start and stop.',
    ),
  KAFKA_TOPIC_PARTITIONS: commaList('')
    .transform(partitionsOf)
    .describe(
      'Partitions of topics, where they are to be others than those of the catalogue, as in `scoring.requests=48,ingest.events=96`.',
    ),
  KAFKA_TOPIC_REPLICATION: positiveInteger(1).describe(
    'Replicas of each partition, at least: `telltale topics apply` adds those that are missing. From 3 on, `min.insync.replicas` is 2.',
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
      'A process that is silent for so long has its partitions given to others, and a replay that it works on. Shorter: a killed one is replaced sooner; longer: a machine that stands still for a moment keeps them. Within `group.min.session.timeout.ms` and `group.max.session.timeout.ms` of the brokers.',
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

/** The address of the schema registry, and the credentials for it. */
export type RegistryConfig = Pick<
  KafkaConfig,
  'SCHEMA_REGISTRY_URL' | 'SCHEMA_REGISTRY_USER' | 'SCHEMA_REGISTRY_PASSWORD'
> &
  Partial<Pick<KafkaConfig, 'SCHEMA_REGISTRY_TOKEN' | 'SCHEMA_REGISTRY_TLS_CA_FILE'>>;

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
