import type Cluster from 'kafkajs/src/cluster/index.js';
import { protocolErrorOf } from '../protocol/kafka-error.js';
import { forEachBroker } from './hooks.js';

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
