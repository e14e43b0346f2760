import Cluster, { type Broker, type ClusterMetadata } from 'kafkajs/src/cluster/index.js';
import Decoder from 'kafkajs/src/protocol/decoder.js';
import Encoder from 'kafkajs/src/protocol/encoder.js';
import loggers from 'kafkajs/src/loggers/index.js';
import { Backoff, pause } from '../../backoff.js';
import { reasonOf } from '../../errors.js';
import { tryWhilePassing, kafkaError } from '../protocol/kafka-error.js';
import {
  firstAnswer,
  bypassSilentBrokers,
  stopIdlePolling,
  turned,
  forEachBroker,
  metadataKey,
} from '../corrections/connections.js';
import { connectionOptions, type KafkaAccess } from './kafka-access.js';
import type { Logger } from '../../logging.js';
import metadataResponse from 'kafkajs/src/protocol/requests/metadata/v5/response.js';
import { sendRequest } from '../protocol/send-request.js';

type Prepare = (connected: Cluster) => Promise<void>;

/** `connectCluster` with retries, for callers that can't do without it: a busy broker is slow to answer. */
export function connectWithRetry(
  purpose: string,
  access: KafkaAccess,
  { retryForMs = connectRetryMs, prepare, closed }: ConnectOptions = {},
): Promise<Cluster> {
  const backoff = new Backoff(20, 500);
  return tryWhilePassing(() => connectCluster(purpose, access, prepare), {
    retryForMs,
    leastTries,
    beforeNext: () => pause(backoff.next(), closed),
    closed,
  });
}

interface ConnectOptions {
  readonly retryForMs?: number;
  readonly prepare?: Prepare;
  /** Nothing is tried after it is aborted. */
  readonly closed?: AbortSignal;
}

const connectRetryMs = 8_000;
/** On a busy machine one handshake can take all of `connectRetryMs`. */
const leastTries = 4;

/**
 * kafkajs's own view of a cluster, through the first broker that answers and for which `prepare` succeeds.
 * Each broker is tried once, starting with a random one. Nothing else is retried: callers decide how to wait.
 */
export function connectCluster(purpose: string, access: KafkaAccess, prepare?: Prepare): Promise<Cluster> {
  return firstAnswer(
    turned([...access.brokers]),
    (broker) => connectThrough(broker, purpose, access, prepare),
    (late) => void late.disconnect().catch(() => undefined),
  );
}

/**
 * The bootstrap brokers for a kafkajs client. If a broker accepts connections but never answers (a machine
 * that swaps, a process that is stopped), the client would ask it again and again, and no other. So it gets a
 * broker that has just answered, or all of them if none does.
 */
export async function bootstrapBrokers(access: KafkaAccess): Promise<string[]> {
  const all = [...access.brokers];
  if (all.length === 1) return all;
  try {
    return await firstAnswer(turned(all), async (broker) => {
      const cluster = await connectThrough(broker, 'bootstrap', access);
      await cluster.disconnect();
      return [broker];
    });
  } catch (error) {
    access.logger.debug({ event: 'no-bootstrap-broker', reason: reasonOf(error) }, 'no broker answers');
    return all;
  }
}

async function connectThrough(
  broker: string,
  purpose: string,
  access: KafkaAccess,
  prepare?: Prepare,
): Promise<Cluster> {
  const cluster = newCluster(purpose, access, [broker]);
  try {
    await cluster.connect();
    await prepare?.(cluster);
    return cluster;
  } catch (error) {
    void cluster.disconnect().catch(() => undefined);
    throw error;
  }
}

export function newCluster(topic: string, access: KafkaAccess, brokers: readonly string[]): Cluster {
  const { clientId, logger } = access;
  const cluster = new Cluster({
    brokers,
    clientId,
    logger: loggers.createLogger({
      level: 2,
      logCreator: () => (entry) =>
        logger.debug({ event: 'kafkajs', topic, kafkajs: entry.log.message }, 'kafkajs'),
    }),
    ...connectionOptions(access),
    requestTimeout: requestTimeoutMs,
    retry: { retries: 0 },
    allowAutoTopicCreation: false,
    metadataMaxAge: growthSeenMs,
  });
  stopIdlePolling(cluster);
  askOwnMetadata(cluster);
  bypassSilentBrokers(cluster);
  return cluster;
}

/** Several fit into the time that a send is retried: a silent broker is asked at most a few times. */
const requestTimeoutMs = 3_000;
/** A writer learns of new partitions of its topic after this long at most, as groups do. */
const growthSeenMs = 30_000;

const tellEveryMs = 60_000;
let toldAt = -Infinity;

/** Logs that a broker slows this process down because of a quota, once a minute at most. */
export function logThrottling(logger: Logger, request: 'produce' | 'fetch', throttledMs: number): void {
  if (throttledMs <= 0 || performance.now() - toldAt < tellEveryMs) return;
  toldAt = performance.now();
  logger.warn(
    { event: 'kafka-throttles', request, throttledMs },
    'a Kafka quota throttles this process: raise it, or send less',
  );
}

const version = 5;
/** The first version that names a topic by its id (KIP-516); brokers support it from 2.8. */
const versionWithIds = 10;

/**
 * Replaces the cluster's metadata request. kafkajs treats one partition without a leader as a failure of the
 * whole request, and asks for every topic if it is given none.
 */
function askOwnMetadata(cluster: Cluster): void {
  forEachBroker(cluster, (broker) => {
    broker.metadata = (topics) => requestMetadata(broker, topics);
  });
}

/** Rejects with the error of a topic; a partition without a leader has leader -1. */
async function requestMetadata(broker: Broker, topics: readonly string[]): Promise<ClusterMetadata> {
  const answer = await sendRequest(broker, {
    ...{ apiKey: metadataKey, apiName: 'Metadata', apiVersion: version },
    encode: () => encodeMetadataRequest(topics),
    decode: (payload) => metadataResponse.decode(payload),
  });
  return withoutTopicErrors(answer);
}

/** MetadataRequest, version 5 (kafka.apache.org/protocol#The_Messages_Metadata): [topic] allow_auto_topic_creation. */
export function encodeMetadataRequest(topics: readonly string[]): Buffer {
  const names = topics.map((topic) => Buffer.from(topic));
  const bytes = Buffer.alloc(4 + names.reduce((sum, { length }) => sum + 2 + length, 0) + 1);
  let at = bytes.writeInt32BE(names.length);
  for (const name of names) {
    at = bytes.writeInt16BE(name.length, at);
    at += name.copy(bytes, at);
  }
  return bytes;
}

function withoutTopicErrors(answer: ClusterMetadata): ClusterMetadata {
  const failed = answer.topicMetadata.find(({ topicErrorCode }) => topicErrorCode !== 0);
  if (failed !== undefined) throw kafkaError(failed.topicErrorCode);
  return answer;
}

/** The id of a topic, 32 hexadecimal digits; undefined if the broker gives topics none. */
export async function requestTopicId(broker: Broker, topic: string): Promise<string | undefined> {
  const known = broker.versions?.[metadataKey];
  if (known === undefined || known.maxVersion < versionWithIds) return undefined;
  const id = await sendRequest(broker, {
    ...{ apiKey: metadataKey, apiName: 'Metadata', apiVersion: versionWithIds },
    encode: () => encodeTopicIdRequest(topic),
    decode: (payload) => Promise.resolve(decodeTopicId(payload)),
  });
  return /^0+$/.test(id) ? undefined : id;
}

/** [topic_id name] allow_auto_topic_creation include_cluster_authorized_operations include_topic_authorized_operations. */
function encodeTopicIdRequest(topic: string): Buffer {
  const named = new Encoder().writeBuffer(Buffer.alloc(16)).writeUVarIntString(topic).writeUVarIntBytes();
  return new Encoder()
    .writeUVarIntBytes()
    .writeUVarIntArray([named])
    .writeBoolean(false)
    .writeBoolean(false)
    .writeBoolean(false)
    .writeUVarIntBytes().buffer;
}

/** throttle_time [node_id host port rack] cluster_id controller_id [error_code name topic_id …]; what follows is not read. */
function decodeTopicId(payload: Buffer): string {
  const decoder = new Decoder(payload);
  decoder.readTaggedFields();
  decoder.readInt32();
  decoder.readUVarIntArray((broker) => {
    broker.readInt32();
    broker.readUVarIntString();
    broker.readInt32();
    broker.readUVarIntString();
    broker.readTaggedFields();
  });
  decoder.readUVarIntString();
  decoder.readInt32();
  decoder.readUVarInt();
  const error = decoder.readInt16();
  if (error !== 0) throw kafkaError(error);
  decoder.readUVarIntString();
  return decoder.readBytes(16).toString('hex');
}
