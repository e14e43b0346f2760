import kafkajs, { type PartitionAssigner } from 'kafkajs';
import type Cluster from 'kafkajs/src/cluster/index.js';
import type { Broker, ProtocolCall } from 'kafkajs/src/cluster/index.js';
import heartbeat from 'kafkajs/src/protocol/requests/heartbeat/index.js';
import joinGroup from 'kafkajs/src/protocol/requests/joinGroup/index.js';
import syncGroup from 'kafkajs/src/protocol/requests/syncGroup/index.js';
import { kafkaError, protocolErrorOf } from '../protocol/kafka-error.js';
import { forEachBroker } from './hooks.js';

/** The first versions that name a static member (KIP-345), which kafkajs can encode and never fills in. Kafka has them since 2.3. */
const requests = {
  join: joinGroup.protocol({ version: 5 }),
  sync: syncGroup.protocol({ version: 3 }),
  heartbeat: heartbeat.protocol({ version: 3 }),
};

interface StaticMember {
  readonly groupInstanceId: string;
  readonly leavesAtStop: boolean;
  readonly topic: string;
}

/**
 * Makes the consumer of this cluster a static member of its group: every request says its instance id. The coordinator then
 * knows the member again when it comes back within the session time-out, and keeps its partitions for it; it leaves the group
 * at a stop only where it should. Commits and the request to leave go on without the id: they carry the member id, which a
 * successor with the same instance id replaces.
 *
 * A member that comes back gets the assignment of before, and so does the group's leader, whom the coordinator then names by
 * its former member id (KIP-814). Only the leader sees that the topic has grown. So a leader that comes back compares, and
 * joins once more: then the coordinator has it assign anew.
 */
export function joinAsStaticMember(
  cluster: Cluster,
  { groupInstanceId, leavesAtStop, topic }: StaticMember,
): void {
  let isLeader = false;
  let hasGrown = false;
  forEachBroker(cluster, (broker) => {
    broker.joinGroup = async (asked) => {
      hasGrown = false;
      const call = requests.join({ protocolType: 'consumer', ...asked, groupInstanceId });
      const answer = (await send(broker, call)) as { readonly leaderId: string };
      isLeader = isMemberOf(groupInstanceId, answer.leaderId);
      return answer;
    };
    broker.syncGroup = async (asked) => {
      const call = requests.sync({ ...asked, groupInstanceId });
      const answer = (await send(broker, call)) as { readonly memberAssignment: Buffer };
      const counted = countAtAssignment(answer.memberAssignment) ?? Infinity;
      hasGrown = isLeader && cluster.findTopicPartitionMetadata(topic).length > counted;
      return answer;
    };
    broker.heartbeat = (asked) =>
      hasGrown
        ? Promise.reject(kafkaError(rebalanceInProgress))
        : send(broker, requests.heartbeat({ ...asked, groupInstanceId }));
    if (!leavesAtStop) broker.leaveGroup = () => Promise.resolve();
  });
}

const uuidLength = 36;

/** The coordinator makes the id of a static member of its instance id, a hyphen and a UUID. */
const isMemberOf = (instanceId: string, memberId: string): boolean =>
  memberId.startsWith(`${instanceId}-`) && memberId.length <= instanceId.length + 1 + uuidLength;

const rebalanceInProgress = 27;

const { MemberAssignment } = kafkajs.AssignerProtocol;

/** The same assigner, which also says how many partitions the topic had when it assigned them. */
export const countingPartitions =
  (topic: string, assigner: PartitionAssigner): PartitionAssigner =>
  (config) => {
    const inner = assigner(config);
    return {
      ...inner,
      async assign(given) {
        const assigned = await inner.assign(given);
        const count = config.cluster.findTopicPartitionMetadata(topic).length;
        const userData = Buffer.from(String(count));
        return assigned.map(({ memberId, memberAssignment }) => {
          const { version = 0, assignment = {} } = MemberAssignment.decode(memberAssignment) ?? {};
          return { memberId, memberAssignment: MemberAssignment.encode({ version, assignment, userData }) };
        });
      },
    };
  };

/** Undefined where an older version of this program has assigned. */
function countAtAssignment(memberAssignment: Buffer): number | undefined {
  const text = String(MemberAssignment.decode(memberAssignment)?.userData ?? '');
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

async function send(broker: Broker, call: ProtocolCall): Promise<unknown> {
  try {
    return await broker.connectionPool.send(call);
  } catch (error) {
    // As kafkajs does with its own requests: the next one opens a new connection.
    if (error instanceof Error && error.name === 'KafkaJSConnectionClosedError') await broker.disconnect();
    throw error;
  }
}

/**
 * Makes a consumer join its group again once a coordinator has refused its commit because the group has moved to another
 * broker. kafkajs joins again only after such an answer to a heartbeat. Where a first try to join the group at its new
 * coordinator fails, kafkajs sends heartbeats there, which are answered as before, and commits to the old one for ever.
 */
export function rejoinAfterRefusedCommit(cluster: Pick<Cluster, 'brokerPool'>): void {
  let refusal: Error | undefined;
  forEachBroker(cluster, (broker) => {
    const { offsetCommit, heartbeat, joinGroup } = broker;
    broker.offsetCommit = async (asked) => {
      try {
        return await offsetCommit.call(broker, asked);
      } catch (error) {
        if (error instanceof Error && protocolErrorOf(error) === notCoordinator) refusal = error;
        throw error;
      }
    };
    broker.heartbeat = (asked) =>
      refusal === undefined ? heartbeat.call(broker, asked) : Promise.reject(refusal);
    broker.joinGroup = (asked) => {
      refusal = undefined;
      return joinGroup.call(broker, asked);
    };
  });
}

const notCoordinator = 'NOT_COORDINATOR_FOR_GROUP';
