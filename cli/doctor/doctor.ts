import { keptDeadLetters } from '../../http-edge/dead-letters/kept-dead-letters.js';
import { readMigrations } from '../../runtime/clickhouse/migrations.js';
import { readConfig } from '../../runtime/config.js';
import { kafkaConfig } from '../../runtime/kafka/client/config.js';
import { readClusterState } from '../../runtime/kafka/client/admin.js';
import { openGroupLagReader } from '../../runtime/kafka/consume/group-lag.js';
import { kafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { withTopicAdmin } from '../../runtime/kafka/client/topic-admin.js';
import { silentLogger } from '../../runtime/logging.js';
import { openCodec } from '../../runtime/registry/codec.js';
import { connectRegistry } from '../../runtime/registry/registry.js';
import { agentReports } from '../../topics/agents.js';
import { catalogue } from '../../topics/catalogue.js';
import { deadLetterDecisions } from '../../topics/dead-letters.js';
import { planTopics, type TopicChange } from '../../topics/plan.js';
import { readApiKeys } from '../access-keys-session.js';
import { clickhouseFromEnvironment, migrationFolders } from '../commands/migrate.js';
import { wanted } from '../commands/topics.js';
import { createLagReader } from '../lag/lag-reader.js';
import { consumedTopics } from '../pipeline.js';
import { sinks } from '../sinks.js';
import { accessChecks } from './access-checks.js';
import { agentChecks } from './agent-checks.js';
import { runChecks, type Finding } from './check.js';
import { clickhouseChecks } from './clickhouse-checks.js';
import { clockCheck } from './clock-check.js';
import { kafkaChecks, ownTopicsOfKafka } from './kafka-checks.js';
import { readReports } from './read-reports.js';
import { registryCheck } from './registry-check.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Checks everything that the pipeline needs and consists of. Rejects only with CONFIG_INVALID. */
export async function examine(environment: Environment): Promise<readonly Finding[]> {
  const settings = readConfig(kafkaConfig, environment);
  const { KAFKA_BROKERS: brokers, KAFKA_TOPIC_REPLICATION: replication } = settings;
  const access = kafkaAccess(settings, 'telltale-doctor', silentLogger);
  const registry = connectRegistry(settings, { retries: 0 });
  const clickhouse = clickhouseFromEnvironment();
  const groups = openGroupLagReader(access);
  const topics = wanted();
  const names = topics.map(({ name }) => name);
  const plan = (): Promise<readonly TopicChange[]> =>
    withTopicAdmin(access, async (admin) => planTopics(topics, await admin.find(names), { replication }));
  try {
    return await runChecks([
      ...kafkaChecks({
        state: () => readClusterState(access, [...names, ...ownTopicsOfKafka]),
        addresses: brokers,
        replication,
        plan,
        lag: createLagReader(groups, clickhouse),
      }),
      registryCheck(catalogue, registry),
      ...clickhouseChecks(clickhouse, sinks, readMigrations(migrationFolders())),
      clockCheck(clickhouse),
      ...agentChecks({
        reports: async () => readReports(await openCodec(agentReports, registry), access),
      }),
      ...accessChecks({
        keys: () => readApiKeys(environment),
        deadLetters: async () => {
          const codec = await openCodec(deadLetterDecisions, registry);
          return (await keptDeadLetters({ sources: consumedTopics, kafka: access, codec }).read()).groups;
        },
      }),
    ]);
  } finally {
    await groups.stop();
    await clickhouse.close();
  }
}
