import type Cluster from 'kafkajs/src/cluster/index.js';
import type { Broker, ProtocolCall } from 'kafkajs/src/cluster/index.js';
import heartbeat from 'kafkajs/src/protocol/requests/heartbeat/index.js';
import joinGroup from 'kafkajs/src/protocol/requests/joinGroup/index.js';
import syncGroup from 'kafkajs/src/protocol/requests/syncGroup/index.js';
import { forEachBroker } from './hooks.js';

/** The first versions that name a static member (KIP-345), which kafkajs can encode and never fills in. Kafka has them since 2.3. */
const requests = {
  join: joinGroup.protocol({ version: 5 }),
  sync: syncGroup.protocol({ version: 3 }),
  heartbeat: heartbeat.protocol({ version: 3 }),
};

/**
 * Makes the consumer of this cluster a static member of its group: every request says its instance id. The coordinator then
 * knows the member again when it comes back within the session time-out, and keeps its partitions for it; it leaves the group
 * at a stop only where it should. Commits and the request to leave go on without the id: they carry the member id, which a
 * successor with the same instance id replaces.
 */
export function joinAsStaticMember(
  cluster: Cluster,
  { groupInstanceId, leavesAtStop }: { readonly groupInstanceId: string; readonly leavesAtStop: boolean },
): void {
  forEachBroker(cluster, (broker) => {
    broker.joinGroup = (asked) =>
      send(broker, requests.join({ protocolType: 'consumer', ...asked, groupInstanceId }));
    broker.syncGroup = (asked) => send(broker, requests.sync({ ...asked, groupInstanceId }));
    broker.heartbeat = (asked) => send(broker, requests.heartbeat({ ...asked, groupInstanceId }));
    if (!leavesAtStop) broker.leaveGroup = () => Promise.resolve();
  });
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
