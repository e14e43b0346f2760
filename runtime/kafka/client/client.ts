import kafkajs, { Kafka, type LogEntry, logLevel as level } from 'kafkajs';
import type Cluster from 'kafkajs/src/cluster/index.js';
import { compress, decompress, init } from '@bokuweb/zstd-wasm';
import lz4 from '@2l/kafkajs-lz4';
import snappy from 'kafkajs-snappy';
import { bootstrapBrokers } from './cluster.js';
import { forEachCluster, stopIdlePolling } from '../corrections/connections.js';
import { type KafkaAccess, connectionOptions } from './kafka-access.js';
import type { Logger } from '../../logging.js';

/**
 * Creates every client of kafkajs's public API. Retries start at 5 ms: with the library's 300 ms, a
 * transaction that has to wait for the end of its predecessor costs a third of a second. `correct` changes
 * how a client talks to its brokers; it is called before the client connects.
 */
export function createKafka(access: KafkaAccess, correct?: (cluster: Cluster) => void): Kafka {
  const { clientId, logger } = access;
  registerCompressionCodecs();
  const kafka = new Kafka({
    brokers: () => bootstrapBrokers(access),
    clientId,
    ...connectionOptions(access),
    requestTimeout: 10_000,
    retry: { initialRetryTime: 5, maxRetryTime: 1_000, retries: 8 },
    logLevel: level.WARN,
    logCreator: () => bridgeTo(logger.child({ library: 'kafkajs' })),
  });
  forEachCluster(kafka, (cluster) => {
    stopIdlePolling(cluster);
    correct?.(cluster);
  });
  return kafka;
}

function bridgeTo(logger: Logger) {
  return ({ namespace, level: severity, log }: LogEntry): void => {
    // Only these fields: the rest of an entry may carry whole requests.
    const { message, error, broker, groupId, topic, partition } = log;
    const line = {
      namespace,
      error: error as unknown,
      broker: broker as unknown,
      groupId: groupId as unknown,
      topic: topic as unknown,
      partition: partition as unknown,
    };
    // The library retries by itself and logs each failed try as an error. The final failure is thrown, and
    // its catcher logs it.
    if (severity <= level.WARN) logger.debug({ event: 'kafkajs', ...line }, message);
    else logger.trace({ event: 'kafkajs', ...line }, message);
  };
}

interface Codec {
  compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>;
  decompress(buffer: Buffer): Promise<Buffer>;
}

// Its types declare a default export; its module is the class itself.
const Lz4 = lz4 as unknown as new () => { readonly codec: () => Codec };

let zstdReady: Promise<void> | undefined;

const zstd = (): Codec => ({
  async compress({ buffer }) {
    await (zstdReady ??= init());
    return Buffer.from(compress(buffer));
  },
  async decompress(buffer) {
    await (zstdReady ??= init());
    return Buffer.from(decompress(buffer));
  },
});

/** kafkajs supports only gzip; other producers on the same topics may use any codec of the protocol. */
export function registerCompressionCodecs(): void {
  const { CompressionCodecs: codecs, CompressionTypes: types } = kafkajs;
  codecs[types.Snappy] = snappy;
  codecs[types.LZ4] = new Lz4().codec;
  codecs[types.ZSTD] = zstd;
}
