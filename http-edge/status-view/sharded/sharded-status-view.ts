import { setTimeout as sleep } from 'node:timers/promises';
import { TelltaleError } from '../../../runtime/errors.js';
import type { ServerCertificate } from '../../../runtime/http/listening-server.js';
import { holdPartitions } from '../../../runtime/kafka/views/held-partitions.js';
import { PartitionHistory } from '../../../runtime/kafka/views/partition-history.js';
import { untilAvailable } from '../../../runtime/kafka/views/until-available.js';
import type { TaskStatus } from '../../../schemas/generated/task-status.js';
import { acceptedAt, bodyOf, digestOf, laterOf } from '../entry.js';
import { AppendOwners } from '../../peers/append-owners.js';
import { openPeerClient } from '../../peers/peer-client.js';
import { startPeerListener } from '../../peers/peer-listener.js';
import type { StatusView, StatusViewOptions } from '../status-view.js';
import type { ShardingConfig } from './config.js';
import { NotKept, type StatusQuestion } from './question.js';
import { answerFrom } from './questions-to-peers.js';
import { joinShardGroup } from './shard-group.js';
import { ShardOwners } from './shard-owners.js';
import { StatusShards } from './status-shards.js';

export interface ShardedStatusViewOptions extends StatusViewOptions {
  readonly groupId: string;
  readonly sessionTimeoutMs: number;
  readonly config: ShardingConfig;
  readonly certificate: ServerCertificate;
  readonly fatal: (error: TelltaleError) => void;
}

const countingMs = 2_000;
/** How long a partition takes to move where its next owner has read it already. */
const movingMs = 300;
const movingPauseMs = 50;

/**
 * The status topic: each edge keeps some of its partitions and asks other edges for the rest. Rejects with PORT_BUSY.
 */
export async function startShardedStatusView(options: ShardedStatusViewOptions): Promise<StatusView> {
  const { folder, retentionMs, topic, kafka, config, certificate, metrics } = options;
  const { logger } = kafka;
  const { EDGE_PEER_HOST: host, EDGE_PEER_PORT: port, EDGE_PEER_SECRET: secret } = config;
  const { EDGE_PEER_URL: ownUrl, EDGE_PEER_TLS_CA_FILE: caFile } = config;
  const misses = metrics.counter(
    'telltale_status_view_misses_total',
    'Status questions that waited for the end of the log.',
  );
  const history = new PartitionHistory(retentionMs);
  const partitions = holdPartitions<TaskStatus>(options);
  const shards = new StatusShards({ folder, retentionMs, partitions, logger });
  const client = openPeerClient({ secret, caFile, logger });
  const owners = new ShardOwners({ client, logger, metrics });
  const appendOwners = new AppendOwners({ ownUrl, client, peers: owners, metrics });
  const routes = [answerFrom(shards), appendOwners.answer.bind(appendOwners)];
  const listener = await startPeerListener({ host, port, secret, certificate, routes, logger });
  const group = await joinShardGroup({
    ...{ ...options, topic: topic.name },
    ...{ shards, owners, partitions, history },
  });

  const unreachable = (): TelltaleError =>
    new TelltaleError('KAFKA_UNREACHABLE', { brokers: kafka.brokers.join(',') });
  const askOnce = async (partition: number, question: StatusQuestion): Promise<Buffer | undefined> => {
    try {
      return await shards.answer(partition, question);
    } catch (error) {
      if (!(error instanceof NotKept)) throw error;
      return owners.ask(partition, question);
    }
  };
  // A partition that moves meanwhile is missed: the next owner is asked too early, and the former one too late.
  const askWhere = async (partition: number, question: StatusQuestion): Promise<Buffer | undefined> => {
    const retryUntil = Date.now() + movingMs;
    for (;;) {
      try {
        return await askOnce(partition, question);
      } catch (error) {
        const isAway = error instanceof TelltaleError && error.code === 'TASK_STATUS_AWAY';
        if (!isAway || Date.now() > retryUntil) throw error;
        await sleep(movingPauseMs);
      }
    }
  };
  const askAll = async (ids: readonly number[], question: StatusQuestion): Promise<Buffer | undefined> => {
    const entries = await Promise.all(ids.map((id) => askWhere(id, question)));
    return entries.reduce((one, other) => (one && other ? laterOf(one, other) : (one ?? other)), undefined);
  };
  const find = async (question: StatusQuestion): Promise<Buffer | undefined> => {
    if (!group.knowsHistory) throw unreachable();
    const known = history.of(question.taskId);
    const entry = await askAll(known, question);
    if (entry !== undefined) return entry;
    misses.inc();
    // The edge that accepted the task may have known partitions of which this edge had not heard yet.
    const counted = await untilAvailable(
      () => group.followGrowth().then(() => true),
      Date.now() + countingMs,
    );
    if (counted === undefined) throw unreachable();
    return askAll(
      history.of(question.taskId).filter((id) => !known.includes(id)),
      question,
    );
  };

  return {
    retentionMs,
    appendOwners,
    read(taskId, workspace) {
      const question = { taskId, workspace };
      const [only, ...more] = history.of(taskId);
      if (only !== undefined && more.length === 0 && shards.isCaughtUp(only)) {
        const entry = shards.find(only, question);
        if (entry !== undefined) return bodyOf(entry);
      }
      return find(question).then((entry) => entry && bodyOf(entry));
    },
    lookup: (taskIds) =>
      Promise.all(
        taskIds.map(async (taskId) => {
          const entry = await find({ taskId, workspace: undefined });
          return entry && { taskId, requestDigest: digestOf(entry), acceptedAt: acceptedAt(entry) };
        }),
      ),
    async stop() {
      await group.stop();
      await listener.stop();
      client.stop();
      await shards.stop();
      await partitions.stop();
    },
  };
}
