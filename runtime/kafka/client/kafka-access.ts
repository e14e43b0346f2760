import type { ISocketFactory, SASLOptions } from 'kafkajs';
import { reasonOf, TelltaleError } from '../../errors.js';
import type { KafkaConfig } from './config.js';
import type { Logger } from '../../logging.js';
import { type KafkaSecurity, kafkaSecurity } from './security.js';

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

/** Without a cause none answered in time. */
export function kafkaUnreachable({ brokers }: Pick<KafkaAccess, 'brokers'>, cause?: unknown): TelltaleError {
  const reason = cause === undefined ? 'no answer in time' : reasonOf(cause);
  return new TelltaleError('KAFKA_UNREACHABLE', { brokers: brokers.join(', '), reason }, { cause });
}
