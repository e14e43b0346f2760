import type { TelltaleError } from '../../../runtime/errors.js';
import type { ServerCertificate } from '../../../runtime/http/listening-server.js';
import { HeldPartitions } from '../../../runtime/kafka/views/held-partitions.js';
import { RecordsByOffset } from '../../../runtime/kafka/consume/find-records.js';
import { PartitionHistory } from '../../../runtime/kafka/consume/topic-growth.js';
import type { TaskStatus } from '../../../schemas/generated/task-status.js';
import { acceptedAt, bodyOf, digestOf, isReference } from '../entry.js';
import { AppendOwners } from '../../peers/append-owners.js';
import { openPeerClient } from '../../peers/peer-client.js';
import { startPeerListener } from '../../peers/peer-listener.js';
import type { StatusView, StatusViewOptions } from '../status-view.js';
import type { ShardingConfig } from './config.js';
import { findAmongEdges } from './find-among-edges.js';
import { answerFrom } from './questions-to-peers.js';
import { ResultsInLog } from './results-in-log.js';
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

/**
 * The status topic: each edge keeps some of its partitions and asks other edges for the rest. Rejects with PORT_BUSY.
 */
export async function startShardedStatusView(options: ShardedStatusViewOptions): Promise<StatusView> {
  const { folder, retentionMs, topic, codec, kafka, config, certificate, metrics } = options;
  const { logger } = kafka;
  const { EDGE_PEER_HOST: host, EDGE_PEER_PORT: port, EDGE_PEER_SECRET: secret } = config;
  const { EDGE_PEER_URL: ownUrl, EDGE_PEER_TLS_CA_FILE: caFile } = config;
  const misses = metrics.counter(
    'telltale_status_view_misses_total',
    'Status questions that waited for the end of the log.',
  );
  const history = new PartitionHistory(retentionMs);
  const partitions = new HeldPartitions<TaskStatus>(options);
  const records = new RecordsByOffset({ topic: topic.name, kafka });
  const results = new ResultsInLog({ records, codec, metrics, logger });
  const client = openPeerClient({ secret, caFile, logger });
  const owners = new ShardOwners({ ownUrl, client, logger, metrics });
  const keepsResults = owners.keepsResults.bind(owners);
  const shards = new StatusShards({ folder, retentionMs, partitions, results, keepsResults, logger });
  const appendOwners = new AppendOwners({ ownUrl, client, peers: owners, metrics });
  const routes = [answerFrom(shards), appendOwners.answer.bind(appendOwners)];
  const listener = await startPeerListener({ host, port, secret, certificate, routes, logger });
  const group = await joinShardGroup({
    ...{ ...options, topic: topic.name },
    ...{ shards, owners, partitions, history },
  });

  const find = findAmongEdges({ kafka, shards, owners, history, group, missed: () => misses.inc() });

  return {
    retentionMs,
    appendOwners,
    read(taskId, workspace) {
      const question = { taskId, workspace };
      const [only, ...more] = history.of(taskId);
      if (only !== undefined && more.length === 0 && shards.isCaughtUp(only)) {
        const entry = shards.find(only, question);
        if (entry !== undefined && !isReference(entry)) return bodyOf(entry);
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
      await records.close();
    },
  };
}
