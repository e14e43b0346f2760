import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { SASLOptions } from 'kafkajs';
import type { Logger } from '../../../logging.js';
import { tlsFiles } from '../../../tls/tls-files.js';
import { encrypts, signsIn, type KafkaSecurityConfig } from './config.js';
import { oauthTokens } from './oauth-tokens.js';

/** How every connection to Kafka is opened, for all clients. */
export interface KafkaSecurity {
  readonly openSocket: OpenSocket;
  /** How a connection authenticates, as kafkajs's option; undefined where it does not. */
  readonly sasl: SASLOptions | undefined;
  /** The time to open a connection, with its TLS handshake. */
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
export function kafkaSecurity(config: KafkaSecurityConfig, logger: Logger): KafkaSecurity {
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
  // kafkajs unrefs a broken socket at every try to reconnect, which adds a listener each time: Node.js would warn of a
  // leak whenever Kafka is away.
  socket.setMaxListeners(0);
  return socket;
}

function saslOf(config: KafkaSecurityConfig, logger: Logger): SASLOptions {
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
