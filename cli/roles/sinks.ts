import { randomUUID } from 'node:crypto';
import { connectClickHouse, writerOptions, type ClickHouse } from '../../runtime/clickhouse/client.js';
import { readConfig } from '../../runtime/config.js';
import { clickhouseConfig } from '../../runtime/clickhouse/config.js';
import { appendConfig, kafkaConfig } from '../../runtime/kafka/client/config.js';
import { watchDependency } from '../../runtime/dependency-watch.js';
import { openBatchingAppender } from '../../runtime/kafka/produce/batching-appender.js';
import { kafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { requireKafka, watchKafka } from '../../runtime/kafka/client/kafka-watch.js';
import { stoppedTogether } from '../../runtime/lifecycle.js';
import { connectRegistry } from '../../runtime/registry/registry.js';
import { openWriterSchemas } from '../../runtime/registry/writer-schemas.js';
import { sinkConfig, startSink } from '../../runtime/sink-loop.js';
import { openCodec } from '../../runtime/registry/codec.js';
import { maintenanceRuns } from '../../topics/maintenance.js';
import { processReports } from '../../topics/processes.js';
import { replays } from '../../topics/replays.js';
import { maintenanceConfig } from '../maintenance/config.js';
import { startMaintenance } from '../maintenance/maintenance.js';
import { maintenanceTasks } from '../maintenance/tasks.js';
import { startErrorReports } from '../processes/report-errors.js';
import { exitWithError, type RoleContext } from '../role.js';
import { sinks } from '../sinks.js';
import { sinksConfig } from './config.js';
import { serveOperations } from './operations.js';
import { startTableReplays } from './table-replays.js';

/** All sinks as one process. */
export async function startSinksRole(context: RoleContext): Promise<void> {
  const { logger, metrics, health, lifecycle, environment } = context;
  const { SINKS_HOST: host, SINKS_PORT: port } = readConfig(sinksConfig, environment);
  await serveOperations(context, { host, port, portVariable: 'SINKS_PORT' });

  const settings = readConfig(kafkaConfig, environment);
  const access = kafkaAccess(settings, 'telltale-sinks', logger);
  await requireKafka(access);
  lifecycle.register(watchKafka({ kafka: access, topics: sinks.map(({ from }) => from), health }));
  const registry = connectRegistry(settings, { logger });
  const deadLetters = await openBatchingAppender({
    ...access,
    metrics,
    config: readConfig(appendConfig, environment),
  });
  lifecycle.register({ name: 'dead letters', stop: () => deadLetters.stop() });
  const clickhouse = openClickHouse(context);

  const { MAINTENANCE_SCHEDULE: schedule } = readConfig(maintenanceConfig, environment);
  if (schedule.size > 0)
    lifecycle.register(
      startMaintenance({
        schedule,
        tasks: maintenanceTasks(clickhouse, environment),
        access,
        codec: await openCodec(maintenanceRuns, registry),
        logger,
        metrics,
      }),
    );

  const config = readConfig(sinkConfig, environment);
  const all = stoppedTogether('sinks');
  lifecycle.register(all);
  await Promise.all(
    sinks.map(async (sink) => {
      const running = await startSink(sink, {
        kafka: access,
        schemas: await openWriterSchemas(sink.from, registry),
        clickhouse,
        deadLetters,
        config,
        sessionTimeoutMs: settings.KAFKA_SESSION_TIMEOUT_MS,
        logger,
        metrics,
        condition: health.condition(`group of ${sink.name}`, 'joining'),
        fatal: exitWithError(logger),
      });
      all.add({ name: sink.name, stop: () => running.stop() });
    }),
  );
  startErrorReports(context, {
    ...{ role: 'sinks', processId: randomUUID(), appender: deadLetters },
    codec: await openCodec(processReports, registry),
  });
  // Stopped before the sinks, so that a table that a replay has closed accepts their last rows.
  startTableReplays(context, {
    access,
    sessionTimeoutMs: settings.KAFKA_SESSION_TIMEOUT_MS,
    registry,
    codec: await openCodec(replays, registry),
  });
}

/** The client with which the sinks write. The process is not ready while ClickHouse is unavailable. */
function openClickHouse({ logger, health, lifecycle, environment }: RoleContext): ClickHouse {
  const storage = readConfig(clickhouseConfig, environment);
  const clickhouse = connectClickHouse(writerOptions(storage, logger));
  lifecycle.register({ name: 'ClickHouse', stop: () => clickhouse.close() });
  lifecycle.register(
    watchDependency({
      name: 'ClickHouse',
      condition: health.condition('ClickHouse'),
      ask: () => clickhouse.query('SELECT 1'),
    }),
  );
  return clickhouse;
}
