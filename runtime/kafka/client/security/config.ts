import { z } from 'zod';
import { secret } from '../../../secret.js';

const path = (description: string) => z.string().default('').describe(description);
const text = path;

/** How connections to Kafka are secured. */
export const kafkaSecurityShape = {
  KAFKA_SECURITY_PROTOCOL: z
    .enum(['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'])
    .default('PLAINTEXT')
    .describe('Whether connections to Kafka are encrypted (`SSL`) and begin with a sign-in (`SASL`).'),
  KAFKA_SASL_MECHANISM: z
    .enum(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'OAUTHBEARER'])
    .default('SCRAM-SHA-512')
    .describe('How a process signs in, where the protocol is one of SASL.'),
  KAFKA_SASL_USERNAME: text('User of PLAIN and SCRAM.'),
  KAFKA_SASL_PASSWORD: secret('Password of that user.'),
  KAFKA_OAUTH_TOKEN_URL: z
    .union([z.literal(''), z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' })])
    .default('')
    .describe(
      'Token endpoint of OAUTHBEARER, asked by client credentials (RFC 6749, 4.4). Tokens are renewed before they expire. A private CA of it: NODE_EXTRA_CA_CERTS.',
    ),
  KAFKA_OAUTH_CLIENT_ID: text('Client id for the token endpoint.'),
  KAFKA_OAUTH_CLIENT_SECRET: secret('Secret of that client.'),
  KAFKA_OAUTH_SCOPE: text('Scope to ask the token endpoint for.'),
  KAFKA_TLS_CA_FILE: path(
    'PEM file of the authority that signs the certificates of the brokers; unset: those that Node.js knows. Read again when it changes, like the next two.',
  ),
  KAFKA_TLS_CERTIFICATE_FILE: path('PEM file of the client certificate, where brokers ask for one (mTLS).'),
  KAFKA_TLS_KEY_FILE: path('PEM file of its key, without a passphrase.'),
};

export type KafkaSecurityConfig = z.output<z.ZodObject<typeof kafkaSecurityShape>>;

/** Reports settings that contradict each other at the start, not when the first broker refuses. */
export function checkKafkaSecurity(config: KafkaSecurityConfig, context: z.RefinementCtx): void {
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
