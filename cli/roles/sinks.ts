import { connectClickHouse } from '../../runtime/clickhouse/client.js';
import { appendConfig, clickhouseConfig, kafkaConfig, readConfig } from '../../runtime/config.js';
import { openBatchingAppender } from '../../runtime/kafka/batching-appender.js';
import { createKafka, requireKafka } from '../../runtime/kafka/client.js';
import { startOpsServer } from '../../runtime/ops-server.js';
import { openCodec } from '../../runtime/registry/codec.js';
import { connectRegistry } from '../../runtime/registry/registry.js';
import { sinkConfig, startSink } from '../../runtime/sink-loop.js';
import { scoringResultsSink } from '../../sinks/scoring-results/index.js';
import { scoringResults } from '../../topics/scoring.js';
import { endLoudly, type RoleContext } from '../role.js';
import { sinksConfig } from './config.js';

/** All sinks as one process. */
export async function startSinksRole(context: RoleContext): Promise<void> {
  const { logger, metrics, health, lifecycle, environment } = context;
  const own = readConfig(sinksConfig, environment);
  const ops = await startOpsServer({
    host: own.SINKS_HOST,
    port: own.SINKS_PORT,
    portVariable: 'SINKS_PORT',
    health,
    metrics,
    logger,
  });
  lifecycle.register(ops);

  const settings = readConfig(kafkaConfig, environment);
  const kafka = createKafka({ brokers: settings.KAFKA_BROKERS, clientId: 'telltale-sinks', logger });
  await requireKafka(kafka, settings.KAFKA_BROKERS);
  const codec = await openCodec(scoringResults, connectRegistry(settings.SCHEMA_REGISTRY_URL));
  const deadLetters = await openBatchingAppender({
    brokers: settings.KAFKA_BROKERS,
    clientId: 'telltale-sinks',
    logger,
    metrics,
    config: readConfig(appendConfig, environment),
  });
  lifecycle.register({ name: 'dead letters', stop: () => deadLetters.stop() });
  const storage = readConfig(clickhouseConfig, environment);
  const clickhouse = connectClickHouse({
    url: storage.CLICKHOUSE_URL,
    user: storage.CLICKHOUSE_WRITER_USER,
    password: storage.CLICKHOUSE_WRITER_PASSWORD,
  });
  lifecycle.register({ name: 'ClickHouse', stop: () => clickhouse.close() });

  const running = await startSink(scoringResultsSink, {
    kafka,
    codec,
    clickhouse,
    deadLetters,
    config: readConfig(sinkConfig, environment),
    logger,
    metrics,
    condition: health.condition(`group of ${scoringResultsSink.name}`, 'joining'),
    fatal: endLoudly(logger),
  });
  lifecycle.register({ name: scoringResultsSink.name, stop: () => running.stop() });
}
