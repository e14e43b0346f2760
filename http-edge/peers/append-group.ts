import { reasonOf, type TelltaleError } from '../../runtime/errors.js';
import type { ServerCertificate } from '../../runtime/http/listening-server.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { joinGroup, type GroupMembership } from '../../runtime/kafka/consume/group-membership.js';
import { sharedRounds } from '../../runtime/kafka/consume/topic-growth.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { ShardingConfig } from '../status-view/sharded/config.js';
import { AppendOwners, type KnownPeers } from './append-owners.js';
import { openPeerClient } from './peer-client.js';
import { startPeerListener } from './peer-listener.js';
import { introduce, memberNameOf, provenMembers } from './peer-proof.js';
import { SilentPeers } from './silent-peers.js';

export interface AppendGroupOptions {
  readonly groupId: string;
  /** A topic that the edges may read: the group assigns its partitions, and nobody reads them. */
  readonly topic: string;
  readonly kafka: KafkaAccess;
  readonly sessionTimeoutMs: number;
  readonly config: ShardingConfig;
  readonly certificate: ServerCertificate;
  readonly metrics: Metrics;
  readonly fatal: (error: TelltaleError) => void;
}

/** A group of edges that divide idempotent appends among themselves. Each of them keeps every status. */
export interface AppendGroup {
  readonly owners: AppendOwners;
  stop(): Promise<void>;
}

const learnEveryMs = 250;

/** Rejects with PORT_BUSY. */
export async function joinAppendGroup(options: AppendGroupOptions): Promise<AppendGroup> {
  const { kafka, config, certificate, metrics } = options;
  const { logger } = kafka;
  const { EDGE_PEER_HOST: host, EDGE_PEER_PORT: port, EDGE_PEER_SECRET: secret } = config;
  const { EDGE_PEER_URL: ownUrl, EDGE_PEER_TLS_CA_FILE: caFile } = config;
  const client = openPeerClient({ secret, caFile, logger });
  const peers = new GroupPeers(kafka, config);
  const owners = new AppendOwners({ ownUrl, client, peers, metrics });
  const routes = [owners.answer.bind(owners)];
  const listener = await startPeerListener({ host, port, secret, certificate, routes, logger });
  const membership = await joinGroup({
    ...options,
    groupInstanceId: memberNameOf(ownUrl),
    copies: 1,
    notice: () => ({ held: [], about: introduce(ownUrl, secret) }),
    onAssigned: () => peers.changed(),
  });
  const learn = sharedRounds(() => peers.learn(membership));
  const timer = setInterval(() => {
    learn().catch((error: unknown) =>
      logger.debug({ event: 'peers-not-known', reason: reasonOf(error) }, 'trying again'),
    );
  }, learnEveryMs).unref();
  return {
    owners,
    async stop() {
      clearInterval(timer);
      await membership.stop();
      await listener.stop();
      client.stop();
    },
  };
}

/** The other members of the group. Until they are known, an edge appends by itself. */
class GroupPeers extends SilentPeers implements KnownPeers {
  urls: readonly string[] = [];
  /** Counts events that can have changed the members. `known` is the count for which they are known. */
  private changes = 1;
  private known = 0;

  constructor(
    private readonly kafka: KafkaAccess,
    private readonly config: ShardingConfig,
  ) {
    super(kafka.logger);
  }

  changed(): void {
    this.changes += 1;
  }

  override notReached(url: string, error: unknown): void {
    this.changed();
    super.notReached(url, error);
  }

  async learn(membership: Pick<GroupMembership, 'members'>): Promise<void> {
    const { changes } = this;
    if (this.known === changes) return;
    const members = await membership.members();
    if (members === undefined) return;
    this.known = changes;
    this.urls = provenMembers(members, this.config, this.kafka.logger).map(({ url }) => url);
  }
}
