import { randomUUID } from 'node:crypto';
import { edgeConfig } from '../../../http-edge/config.js';
import { oidcConfig } from '../../../http-edge/dashboard/oidc/config.js';
import { shardingConfig } from '../../../http-edge/status-view/sharded/config.js';
import { statusViewConfig } from '../../../http-edge/status-view/status-view.js';
import { clickhouseConfig, clickhouseReaderConfig } from '../../../runtime/clickhouse/config.js';
import { operationsConfig, readConfig } from '../../../runtime/config.js';
import { appendConfig, kafkaConfig } from '../../../runtime/kafka/client/config.js';
import { kafkaAccess, type KafkaAccess } from '../../../runtime/kafka/client/kafka-access.js';
import { requireKafka, watchKafka } from '../../../runtime/kafka/client/kafka-watch.js';
import type { Appender } from '../../../runtime/kafka/produce/appender.js';
import { openBatchingAppender } from '../../../runtime/kafka/produce/batching-appender.js';
import type { Codec } from '../../../runtime/codec.js';
import type { Condition } from '../../../runtime/health.js';
import type { Metrics } from '../../../runtime/metrics.js';
import { openCodecs, type CodecBook } from '../../../runtime/registry/codec-book.js';
import { connectRegistry, type Registry } from '../../../runtime/registry/registry.js';
import type { Topic } from '../../../topics/topic.js';
import { pipeline } from '../../pipeline.js';
import type { RoleContext } from '../../role.js';
import { edgeStateConfig } from '../config.js';

/** What all components of an edge use. */
export interface EdgeFoundation extends RoleContext {
  /** The unique name of this edge: its client id in Kafka, and the key of its replies. */
  readonly instance: string;
  readonly settings: EdgeSettings;
  readonly kafka: KafkaAccess;
  readonly registry: Registry;
  readonly codecs: CodecBook;
  readonly appender: Appender;
  /** Registers a component; it is stopped before those that were registered earlier. */
  readonly kept: <Component extends { stop(): Promise<void> }>(
    name: string,
    component: Component,
    maxStopMs?: number,
  ) => Component;
  /** What the reader of a topic needs; `/readyz` waits for it under this name. */
  readonly reading: <Value>(topic: Topic<Value>, name: string) => TopicReading<Value>;
}

interface TopicReading<Value> {
  readonly topic: Topic<Value>;
  readonly codec: Codec<Value>;
  readonly kafka: KafkaAccess;
  readonly condition: Condition;
  readonly metrics: Metrics;
}

type EdgeSettings = ReturnType<typeof readSettings>;

function readSettings(environment: RoleContext['environment']) {
  return {
    edge: readConfig(edgeConfig, environment),
    kafka: readConfig(kafkaConfig, environment),
    append: readConfig(appendConfig, environment),
    oidc: readConfig(oidcConfig, environment),
    statusView: readConfig(statusViewConfig, environment),
    sharding: readConfig(shardingConfig, environment),
    state: readConfig(edgeStateConfig, environment).TELLTALE_STATE,
    operations: readConfig(operationsConfig, environment),
    clickhouse: readConfig(clickhouseConfig.extend(clickhouseReaderConfig.shape), environment),
  };
}

const topics: readonly Topic[] = [
  ...new Set(
    pipeline.filter(({ role }) => role === 'edge').flatMap(({ reads, writes }) => [...reads, ...writes]),
  ),
];

/** Reads all settings first, so that their errors are reported before Kafka is contacted. */
export async function layFoundation(context: RoleContext): Promise<EdgeFoundation> {
  const { logger, metrics, health, lifecycle, environment } = context;
  const settings = readSettings(environment);
  // Unique for each start, so that a late reply to an earlier process reaches nobody.
  const instance = `edge-${randomUUID()}`;
  const kafka = kafkaAccess(settings.kafka, instance, logger);
  await requireKafka(kafka);
  const registry = connectRegistry(settings.kafka, { logger });
  lifecycle.register(watchKafka({ kafka, topics, health }));
  const codecs = await openCodecs(topics, registry);
  const kept: EdgeFoundation['kept'] = (name, component, maxStopMs = 0) => {
    lifecycle.register({ name, maxStopMs, stop: () => component.stop() });
    return component;
  };
  const appender = kept(
    'appender',
    await openBatchingAppender({ ...kafka, metrics, config: settings.append }),
  );
  return {
    ...context,
    instance,
    settings,
    kafka,
    registry,
    codecs,
    appender,
    kept,
    reading: (topic, name) => ({
      topic,
      codec: codecs.of(topic),
      kafka,
      condition: health.condition(name),
      metrics,
    }),
  };
}
