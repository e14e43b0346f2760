import type Cluster from 'kafkajs/src/cluster/index.js';
import type { Broker, FetchedPartition, ProtocolCall } from 'kafkajs/src/cluster/index.js';
import { forEachBroker } from './connections.js';
import { untilAborted } from '../../backoff.js';
import kafkajs, { type PartitionAssigner } from 'kafkajs';
import heartbeat from 'kafkajs/src/protocol/requests/heartbeat/index.js';
import joinGroup from 'kafkajs/src/protocol/requests/joinGroup/index.js';
import syncGroup from 'kafkajs/src/protocol/requests/syncGroup/index.js';
import { kafkaError, protocolErrorOf } from '../protocol/kafka-error.js';

/**
 * Hides the records of aborted transactions from this cluster's consumer. kafkajs 2.2.4 does so itself
 * (consumer/filterAbortedMessages.js), but incorrectly: it assumes that the broker's list of aborted
 * transactions is sorted by their first offset, and advances by at most one of them per record. A broker
 * lists them in the order in which they ended. So if several overlap in one partition (a killed processor
 * leaves one for each of its partitions), records that were never committed are read, and a result is stored
 * twice. Protocol: kafka.apache.org/protocol, Fetch; the Java client's CompletedFetch uses a priority queue.
 */
export function readOnlyCommitted(cluster: Cluster): void {
  forEachBroker(cluster, (broker) => {
    const fetch = broker.fetch.bind(broker);
    broker.fetch = async (asked) => {
      const answer = await fetch(asked);
      for (const { partitions } of answer.responses)
        for (const partition of partitions) hideAborted(partition);
      return answer;
    };
  });
}

/** Key of a control record that ends a transaction: version 0, type 0 (abort); a commit has type 1. */
const abortMarker = Buffer.from([0, 0, 0, 0]);

/**
 * Marks the records of aborted transactions as control records: the library skips those, and its position
 * moves past them. Empties the library's own list.
 */
export function hideAborted(partition: FetchedPartition): void {
  const aborted = [...(partition.abortedTransactions ?? [])].sort(
    (a, b) => Number(a.firstOffset) - Number(b.firstOffset),
  );
  partition.abortedTransactions = [];
  if (aborted.length === 0) return;
  const active = new Set<string>();
  let next = 0;
  for (const message of partition.messages) {
    for (; Number(aborted[next]?.firstOffset ?? Infinity) <= Number(message.offset); next++) {
      active.add(aborted[next]?.producerId ?? '');
    }
    const { producerId, inTransaction } = message.batchContext;
    if (message.isControlRecord) {
      if (message.key?.equals(abortMarker) === true) active.delete(producerId);
    } else if (inTransaction && active.has(producerId)) message.isControlRecord = true;
  }
}

interface IdleFetchOptions {
  /** A broker that has returned no record for this long is idle. */
  readonly afterMs: number;
  /** How long an idle broker may hold a fetch. */
  readonly maxWaitMs: number;
}

/**
 * Makes idle brokers hold a consumer's fetches for longer, and answer with the first record at once.
 * Otherwise a consumer that gathers records in its fetches would fetch in vain several times per second.
 */
export class IdleFetches {
  /** Not a promise to race against: one that lives as long as the consumer would retain every answer. */
  private readonly ending = new AbortController();

  constructor(
    private readonly options: IdleFetchOptions,
    private readonly now = () => performance.now(),
  ) {}

  /** Ends the fetches of idle brokers with an empty answer: a consumer that stops waits for its fetches. */
  end(): void {
    this.ending.abort();
  }

  /** Call it before the cluster connects. */
  lengthen(cluster: Pick<Cluster, 'brokerPool'>): void {
    forEachBroker(cluster, (broker) => {
      broker.fetch = this.lengthened(broker.fetch.bind(broker));
    });
  }

  private lengthened(fetch: Fetch): Fetch {
    const { afterMs, maxWaitMs } = this.options;
    let lastRecordAt = this.now();
    return async (asked) => {
      const idle = this.now() - lastRecordAt >= afterMs;
      const answer = idle
        ? await untilAborted(
            fetch({ ...asked, minBytes: 1, maxWaitTime: maxWaitMs }),
            this.ending.signal,
            () => ({ responses: [] }),
          )
        : await fetch(asked);
      const returned = answer.responses.some(({ partitions }) =>
        partitions.some(({ messages }) => messages.length > 0),
      );
      if (returned) lastRecordAt = this.now();
      return answer;
    };
  }
}

type Fetch = Broker['fetch'];

/** The first versions that name a static member (KIP-345, Kafka 2.3): kafkajs has them, but sets no name. */
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
 * Makes this cluster's consumer a static member of its group: its joins, syncs and heartbeats carry its
 * instance id. The coordinator then recognises a member that comes back within the session timeout, and keeps
 * its partitions for it. The member leaves the group when it stops only if `leavesAtStop` is set. Commits and
 * leave requests do without the instance id: they carry the member id, which a successor with the same
 * instance id replaces.
 *
 * A member that comes back gets its previous assignment. So does the group's leader, which the coordinator
 * then names by its former member id (KIP-814). Only the leader sees that the topic has grown. So a leader
 * that comes back compares the partition counts, and joins once more: then the coordinator has it assign
 * again.
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

/** The coordinator forms a static member's id from its instance id, a hyphen and a UUID. */
const isMemberOf = (instanceId: string, memberId: string): boolean =>
  memberId.startsWith(`${instanceId}-`) && memberId.length <= instanceId.length + 1 + uuidLength;

const rebalanceInProgress = 27;

const { MemberAssignment } = kafkajs.AssignerProtocol;

/** The same assigner, which also stores in each assignment how many partitions the topic had at the time. */
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

/** Undefined if an older version of this program made the assignment. */
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
 * Makes a consumer rejoin its group once a coordinator has refused its commit because the group has moved to
 * another broker. kafkajs rejoins only after such an answer to a heartbeat. If its first attempt to join the
 * group at its new coordinator fails, kafkajs sends heartbeats there, which succeed as before, but commits to
 * the old one forever.
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
