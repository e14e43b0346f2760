import type Cluster from 'kafkajs/src/cluster/index.js';
import type { Broker } from 'kafkajs/src/cluster/index.js';

/** Changes each broker of a cluster as it is made: call it before the cluster connects. */
export function forEachBroker(
  { brokerPool }: Pick<Cluster, 'brokerPool'>,
  change: (broker: Broker) => void,
): void {
  const create = brokerPool.createBroker;
  brokerPool.createBroker = (options) => {
    const broker = create(options);
    change(broker);
    return broker;
  };
}
