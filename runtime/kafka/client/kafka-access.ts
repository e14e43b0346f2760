import type { ISocketFactory, SASLOptions } from 'kafkajs';
import type { KafkaConfig } from './config.js';
import type { Logger } from '../../logging.js';
import { kafkaSecurity, type KafkaSecurity } from './security/kafka-security.js';

/** A cluster, and how to reach it: what every client of ours is made from. */
export interface KafkaAccess {
  readonly brokers: readonly string[];
  /** Shown in the broker's logs and metrics. */
  readonly clientId: string;
  readonly logger: Logger;
  readonly security: KafkaSecurity;
  /** What this process is called in its consumer groups, so that they know it again after a restart; unset: by chance. */
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

/** What kafkajs is told of connections: the same for its public clients and for the clusters that we make of its parts. */
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
