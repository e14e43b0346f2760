import type { ISocketFactory, SASLOptions } from 'kafkajs';
import { reasonOf, TelltaleError } from '../../errors.js';
import { type KafkaConfig, type KafkaSecurityConfig, encrypts, signsIn } from './config.js';
import type { Logger } from '../../logging.js';
import { type Socket, connect as connectPlain, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { z } from 'zod';
import { tlsFiles } from '../../tls/tls-files.js';

/** A cluster, and how to reach it: every client is made from this. */
export interface KafkaAccess {
  readonly brokers: readonly string[];
  /** Shown in the broker's logs and metrics. */
  readonly clientId: string;
  readonly logger: Logger;
  readonly security: KafkaSecurity;
  /**
   * The name of this process in its consumer groups, so that they recognise it after a restart; unset: a random one.
   */
  readonly groupInstanceId?: string;
}

/** Throws TLS_FILES_INVALID. */
export function kafkaAccess(config: KafkaConfig, clientId: string, logger: Logger): KafkaAccess {
  const groupInstanceId = config.KAFKA_GROUP_INSTANCE_ID;
  return {
    brokers: config.KAFKA_BROKERS,
    clientId,
    logger,
    security: kafkaSecurity(config, logger),
    ...(groupInstanceId !== '' && { groupInstanceId }),
  };
}

/** The connection options of kafkajs: the same for its public clients and for clusters made of its internals. */
export function connectionOptions({ security }: KafkaAccess): {
  readonly connectionTimeout: number;
  readonly socketFactory: ISocketFactory;
  readonly sasl?: SASLOptions;
} {
  const { openSocket, sasl, connectionTimeoutMs } = security;
  return {
    connectionTimeout: connectionTimeoutMs,
    socketFactory: ({ host, port, onConnect }) => openSocket({ host, port }, onConnect),
    ...(sasl !== undefined && { sasl }),
  };
}

/** Without a cause: no broker answered in time. */
export function kafkaUnreachable({ brokers }: Pick<KafkaAccess, 'brokers'>, cause?: unknown): TelltaleError {
  const reason = cause === undefined ? 'no answer in time' : reasonOf(cause);
  return new TelltaleError('KAFKA_UNREACHABLE', { brokers: brokers.join(', '), reason }, { cause });
}

type SignIn =
  | {
      readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
      readonly username: string;
      readonly password: string;
    }
  | {
      readonly mechanism: 'oauthbearer';
      readonly oauthBearerProvider: () => Promise<{ readonly value: string }>;
    };

/** How every connection to Kafka is opened, for all clients. */
export interface KafkaSecurity {
  readonly openSocket: OpenSocket;
  /** How a connection authenticates; undefined if it does not. */
  readonly sasl: SignIn | undefined;
  /** The most time to open a connection, including its TLS handshake. */
  readonly connectionTimeoutMs: number;
}

/** `onConnect` is called once the connection can be written to. */
export type OpenSocket = (
  address: { readonly host: string; readonly port: number },
  onConnect: () => void,
) => Socket;

const keepAliveMs = 60_000;

export const plaintext: KafkaSecurity = {
  openSocket: ({ host, port }, onConnect) => keptAlive(connectPlain({ host, port }, onConnect)),
  sasl: undefined,
  connectionTimeoutMs: 1_000,
};

/** Throws TLS_FILES_INVALID. */
function kafkaSecurity(config: KafkaSecurityConfig, logger: Logger): KafkaSecurity {
  const sasl = signsIn(config) ? saslOf(config, logger) : undefined;
  if (!encrypts(config)) return { ...plaintext, sasl };
  const files = tlsFiles(
    {
      ca: config.KAFKA_TLS_CA_FILE,
      certificate: config.KAFKA_TLS_CERTIFICATE_FILE,
      key: config.KAFKA_TLS_KEY_FILE,
    },
    logger,
  );
  return {
    sasl,
    // A broker that has just started takes a second for its first handshake.
    connectionTimeoutMs: 5_000,
    openSocket({ host, port }, onConnect) {
      // RFC 6066 forbids an address as a server name; the certificate is checked against the host all the same.
      const name = isIP(host) === 0 ? { servername: host } : {};
      const secureContext = files().context;
      return keptAlive(connectTls({ host, port, ...name, secureContext }, onConnect));
    },
  };
}

function keptAlive<Kind extends Socket>(socket: Kind): Kind {
  socket.setKeepAlive(true, keepAliveMs);
  // kafkajs unrefs a broken socket at every attempt to reconnect, which adds a listener each time: Node.js
  // would warn of a leak whenever Kafka is down.
  socket.setMaxListeners(0);
  return socket;
}

function saslOf(config: KafkaSecurityConfig, logger: Logger): SignIn {
  const credentials = { username: config.KAFKA_SASL_USERNAME, password: config.KAFKA_SASL_PASSWORD };
  switch (config.KAFKA_SASL_MECHANISM) {
    case 'PLAIN':
      return { mechanism: 'plain', ...credentials };
    case 'SCRAM-SHA-256':
      return { mechanism: 'scram-sha-256', ...credentials };
    case 'SCRAM-SHA-512':
      return { mechanism: 'scram-sha-512', ...credentials };
    case 'OAUTHBEARER': {
      const token = oauthTokens(
        {
          url: config.KAFKA_OAUTH_TOKEN_URL,
          clientId: config.KAFKA_OAUTH_CLIENT_ID,
          clientSecret: config.KAFKA_OAUTH_CLIENT_SECRET,
          scope: config.KAFKA_OAUTH_SCOPE,
        },
        logger,
      );
      return { mechanism: 'oauthbearer', oauthBearerProvider: async () => ({ value: await token() }) };
    }
  }
}

interface OAuthClient {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Empty: no scope is requested. */
  readonly scope: string;
}

const answerMs = 5_000;
/** kafkajs authenticates again ten seconds before a session ends, with the token that it gets then. */
const reauthenticationMs = 15_000;
const renewAfter = 0.8;

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().default(300),
});

/**
 * Access tokens by client credentials (RFC 6749, 4.4). A token is requested when it is needed, and shared by
 * all connections until most of its lifetime has passed. While the endpoint is down, the last one is used
 * until it expires. Rejects with KAFKA_TOKEN_REFUSED.
 */
export function oauthTokens(
  client: OAuthClient,
  logger: Logger,
  now: () => number = Date.now,
): () => Promise<string> {
  let last: Token | undefined;
  let asking: Promise<Token> | undefined;

  const renewed = async (): Promise<Token> => {
    asking ??= askForToken(client, now).finally(() => (asking = undefined));
    return asking;
  };
  return async () => {
    const held = last;
    if (held !== undefined && now() < held.renewAt) return held.value;
    try {
      last = await renewed();
      return last.value;
    } catch (error) {
      if (held === undefined || now() >= held.expiresAt) throw error;
      logger.warn(
        { event: 'kafka-token-not-renewed', reason: reasonOf(error) },
        'the token for Kafka cannot be renewed yet; the last one is still valid',
      );
      return held.value;
    }
  };
}

interface Token {
  readonly value: string;
  readonly renewAt: number;
  readonly expiresAt: number;
}

async function askForToken(
  { url, clientId, clientSecret, scope }: OAuthClient,
  now: () => number,
): Promise<Token> {
  const asked = now();
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: basic(clientId, clientSecret), accept: 'application/json' },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope === '' ? {} : { scope }) }),
      signal: AbortSignal.timeout(answerMs),
      // The secret is sent to the configured endpoint, and nowhere else.
      redirect: 'error',
    });
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    const { access_token: value, expires_in: seconds } = tokenAnswer.parse(await answer.json());
    const lifetime = seconds * 1_000;
    const renewAt = asked + Math.min(lifetime * renewAfter, Math.max(0, lifetime - reauthenticationMs));
    return { value, renewAt, expiresAt: asked + lifetime };
  } catch (cause) {
    throw new TelltaleError('KAFKA_TOKEN_REFUSED', { url, reason: reasonOf(cause) }, { cause });
  }
}

/** RFC 6749, 2.3.1: both parts are form-encoded before they are joined. */
function basic(clientId: string, clientSecret: string): string {
  const encoded = [clientId, clientSecret].map((part) =>
    new URLSearchParams({ '': part }).toString().slice(1),
  );
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
}
