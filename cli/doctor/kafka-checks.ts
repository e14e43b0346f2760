import { reasonOf } from '../../runtime/errors.js';
import type { ClusterState } from '../../runtime/kafka/client/admin.js';
import { describeChange, safeReplicas, type TopicChange } from '../../topics/plan.js';
import type { LagReader } from '../lag/lag-reader.js';
import { duration } from '../lag/lag-text.js';
import { good, named, problem, warning, type Check, type Look } from './check.js';

export interface KafkaChecksOptions {
  readonly state: () => Promise<ClusterState>;
  /** How many addresses are configured. */
  readonly addresses: readonly string[];
  /** What KAFKA_TOPIC_REPLICATION asks for. */
  readonly replication: number;
  readonly plan: () => Promise<readonly TopicChange[]>;
  readonly lag: Pick<LagReader, 'read'>;
}

/** The topics in which Kafka keeps groups and transactions: no stage can work without them. */
export const ownTopicsOfKafka: readonly string[] = ['__consumer_offsets', '__transaction_state'];

/** A record that has waited for longer than this is late for every stage. */
const lateSeconds = 300;

export function kafkaChecks(options: KafkaChecksOptions): readonly Check[] {
  return [
    { name: 'brokers', look: () => enoughBrokers(options) },
    { name: 'replicas', look: () => enoughReplicas(options) },
    { name: 'in-sync replicas', look: () => replicasInSync(options) },
    { name: 'topics', look: () => topicsAsCatalogued(options) },
    { name: 'stages', look: () => stagesKeepUp(options) },
  ];
}

async function enoughBrokers({ state, addresses, replication }: KafkaChecksOptions): Promise<Look> {
  try {
    const { brokers } = await state();
    return brokers.length < replication
      ? problem(
          `${brokers.length} brokers answer, but topics need ${replication} replicas.`,
          'Start the missing brokers; if there are none, lower KAFKA_TOPIC_REPLICATION.',
        )
      : good(`${named(brokers)} answer.`);
  } catch (error) {
    return problem(
      `No broker can be used at ${named(addresses)}: ${reasonOf(error)}`,
      'Start Kafka, or check KAFKA_BROKERS, KAFKA_SECURITY_PROTOCOL and the settings that it needs. Accepted data is kept; meanwhile edges answer 503, and agents spool.',
    );
  }
}

async function enoughReplicas({ state }: KafkaChecksOptions): Promise<Look> {
  const { brokers, topics } = await state();
  const counts = topics.map(({ name, partitions }) => ({
    name,
    replicas: Math.min(...partitions.map(({ replicas }) => replicas)),
  }));
  const thin = counts.filter(({ replicas }) => replicas < safeReplicas);
  if (thin.length === 0) return good(`All topics have ${safeReplicas} replicas or more.`);
  if (brokers.length < safeReplicas)
    return good(`With fewer than ${safeReplicas} brokers, topics can’t have ${safeReplicas} replicas.`);
  const cures = [
    thin.some(({ name }) => !ownTopicsOfKafka.includes(name)) &&
      `Set KAFKA_TOPIC_REPLICATION=${safeReplicas}, and run \`telltale topics apply\`.`,
    thin.some(({ name }) => ownTopicsOfKafka.includes(name)) &&
      "Kafka's own topics get more by `kafka-reassign-partitions.sh`.",
  ];
  return warning(
    `${brokers.length} brokers, and ${thin.length} topics with fewer than ${safeReplicas} replicas: ${named(thin.map(({ name, replicas }) => `${name} (${replicas})`))}. If a broker fails, their partitions can become unavailable or be lost.`,
    cures.filter((cure) => cure !== false).join(' '),
  );
}

async function replicasInSync({ state }: KafkaChecksOptions): Promise<Look> {
  const { topics } = await state();
  const all = topics.flatMap(({ name, partitions }) =>
    partitions.map((one) => ({ ...one, place: `${name}/${one.partition}` })),
  );
  const leaderless = all.filter(({ leader }) => leader < 0);
  if (leaderless.length > 0)
    return problem(
      `${leaderless.length} partitions have no leader: ${named(leaderless.map(({ place }) => place))}.`,
      'Start the brokers that had them. No acknowledged record is lost as long as one of their disks survives.',
    );
  const behind = all.filter(({ inSync, replicas }) => inSync < replicas);
  return behind.length > 0
    ? warning(
        `${behind.length} partitions lack an in-sync replica: ${named(behind.map(({ place }) => place))}.`,
        'Find the broker that is missing or slow, and start it or give it a faster disk.',
      )
    : good(`All replicas of ${all.length} partitions are in sync.`);
}

async function topicsAsCatalogued({ plan, state }: KafkaChecksOptions): Promise<Look> {
  const changes = await plan();
  const refused = changes.filter(({ kind }) => kind === 'refuse');
  if (changes.length > 0)
    return problem(
      `${changes.length} topics differ from the catalogue: ${named(changes.map(describeChange))}.`,
      refused.length > 0
        ? 'Kafka cannot shrink or rekey a topic: `telltale topics plan` shows the choices.'
        : 'Run `telltale topics apply`.',
    );
  const topics = (await state()).topics.filter(({ name }) => !ownTopicsOfKafka.includes(name));
  return good(`${topics.length} topics match the catalogue, including retention and replication.`);
}

async function stagesKeepUp({ lag }: KafkaChecksOptions): Promise<Look> {
  const { stages } = await lag.read();
  const gone = stages.filter(({ state: group }) => group === 'stopped');
  if (gone.length > 0)
    return problem(
      `No process runs for ${named(gone.map(({ stage }) => stage))}.`,
      'Start `telltale processors` or `telltale sinks`; Kafka keeps the waiting records for their retention.',
    );
  const late = stages.filter(({ lag_seconds: seconds }) => (seconds ?? 0) > lateSeconds);
  if (late.length > 0)
    return warning(
      late
        .map((one) => `${one.stage} is ${duration(one.lag_seconds)} behind${because(one.waits_for)}`)
        .join('; '),
      '`telltale lag --watch` shows whether it catches up; start more processes of the role, up to one per partition.',
    );
  const unknown = stages.filter(({ lag_seconds: seconds }) => seconds === null);
  return unknown.length > 0
    ? warning(
        `The lag is unknown for ${named(unknown.map(({ stage, unknown: why }) => `${stage} (${why ?? '?'})`))}.`,
        'Ask again: an open transaction ends within a minute.',
      )
    : good(`All ${stages.length} stages run, and none is more than ${lateSeconds} s behind.`);
}

const because = (waitsFor: string | null): string => (waitsFor === null ? '' : ` and waits for ${waitsFor}`);
