import { reasonOf, TelltaleError } from '../../runtime/errors.js';
import { readConfig } from '../../runtime/config.js';
import { kafkaConfig } from '../../runtime/kafka/client/config.js';
import { readClusterState } from '../../runtime/kafka/client/admin.js';
import { kafkaAccess, type KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { requireKafka } from '../../runtime/kafka/client/kafka-watch.js';
import { withTopicAdmin } from '../../runtime/kafka/client/topic-admin.js';
import { silentLogger } from '../../runtime/logging.js';
import { connectRegistry, readSchema } from '../../runtime/registry/registry.js';
import { applyTopics, type RefusedSettings, type TopicAdmin } from '../../topics/apply.js';
import { statusViewConfig } from '../../http-edge/status-view/status-view.js';
import { catalogue } from '../../topics/catalogue.js';
import {
  describeChange,
  planTopics,
  safeReplicas,
  wantedTopics,
  withPartitions,
  type TopicChange,
} from '../../topics/plan.js';
import { taskStatus } from '../../topics/scoring.js';
import { subjectOf } from '../../topics/topic.js';
import type { AddCommand } from '../command.js';
import { consumedTopics } from '../pipeline.js';

/** `telltale topics plan|apply`: shows how the cluster differs from the catalogue, and fixes it. */
export const addTopics: AddCommand = (program) => {
  const topics = program.command('topics').description('compare the cluster with the catalogue of topics');
  topics
    .command('plan')
    .description('show what `apply` would change')
    .action(() =>
      withAdmin(async (admin, replication) =>
        show(planTopics(wanted(), await admin.find(names()), { replication }), 'would'),
      ),
    );
  topics
    .command('apply')
    .description('create and configure topics, and register their schemas; deletes nothing, safe to repeat')
    .option('--grow', 'add missing partitions; keys move to other partitions (docs/scaling.md)')
    .action(async ({ grow = false }: { grow?: boolean }) => {
      await withAdmin(async (admin, replication, access) => {
        const { changes, refused, unreplicated } = await applyTopics(wanted(), admin, { grow, replication });
        show(changes, 'did');
        for (const one of refused) console.log(inWords(one));
        if (unreplicated.length > 0)
          console.log(
            `Kafka does not let this user add replicas, which needs \`Alter\` on the cluster and is not possible in every managed Kafka: KAFKA_TOPIC_REPLICATION is ${replication}, but ${unreplicated.join(', ')} have fewer.`,
          );
        await adviseReplicas(access, replication);
        const mismatch = changes.find((change) => change.kind === 'refuse');
        if (mismatch !== undefined) {
          const { topic, wanted, found } = mismatch;
          throw new TelltaleError('TOPIC_MISMATCH', { topic, wanted, found });
        }
      });
      await registerSchemas();
    });
};

const hourMs = 3_600_000;

/** The catalogue, with the partitions and the retention of task statuses that this environment configures. */
export function wanted() {
  const { STATUS_RETENTION_HOURS: hours } = readConfig(statusViewConfig, process.env);
  const declared = catalogue.map((topic) =>
    topic.name === taskStatus.name
      ? { ...topic, cleanup: { ...topic.cleanup, retentionMs: hours * hourMs } }
      : topic,
  );
  const config = readConfig(kafkaConfig, process.env);
  try {
    return wantedTopics(withPartitions(declared, config.KAFKA_TOPIC_PARTITIONS), consumedTopics, {
      left: config.KAFKA_TOPIC_SETTINGS_LEFT,
      compression: config.KAFKA_TOPIC_COMPRESSION,
    });
  } catch (error) {
    throw new TelltaleError('CONFIG_INVALID', { problems: `  KAFKA_TOPIC_PARTITIONS: ${reasonOf(error)}` });
  }
}
const names = () => wanted().map(({ name }) => name);

async function adviseReplicas(access: KafkaAccess, replication: number): Promise<void> {
  if (replication >= safeReplicas) return;
  const { brokers } = await readClusterState(access, []);
  if (brokers.length >= safeReplicas)
    console.log(
      `There are ${brokers.length} brokers, and KAFKA_TOPIC_REPLICATION is ${replication}: if a broker fails, its partitions can become unavailable or be lost. With KAFKA_TOPIC_REPLICATION=${safeReplicas}, \`topics apply\` adds the replicas.`,
    );
}

async function withAdmin(
  work: (admin: TopicAdmin, replication: number, access: KafkaAccess) => Promise<void>,
): Promise<void> {
  const config = readConfig(kafkaConfig, process.env);
  const access = kafkaAccess(config, 'telltale-topics', silentLogger);
  await requireKafka(access);
  await withTopicAdmin(access, (admin) => work(admin, config.KAFKA_TOPIC_REPLICATION, access));
}

function inWords({ topic, config }: RefusedSettings): string {
  const settings = Object.entries(config).map(([name, value]) => `${name}=${value}`);
  const names = Object.keys(config).join(',');
  return `Kafka does not let this user set ${settings.join(', ')} of ${topic}: the topic keeps Kafka's own value. List it in KAFKA_TOPIC_SETTINGS_LEFT (${names}) to stop asking for it; docs/scaling.md says what each is for.`;
}

async function registerSchemas(): Promise<void> {
  const registry = connectRegistry(readConfig(kafkaConfig, process.env));
  await Promise.all(
    catalogue.map(async (topic) => {
      const id = await registry.register(subjectOf(topic), readSchema(topic.value.schema));
      console.log(`schema ${subjectOf(topic)} has id ${id}`);
    }),
  );
}

function show(changes: readonly TopicChange[], tense: 'would' | 'did'): void {
  if (changes.length === 0) console.log('All topics match the configuration.');
  for (const change of changes) console.log(`${tense} ${describeChange(change)}`);
}
