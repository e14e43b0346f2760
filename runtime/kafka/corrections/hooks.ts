import type { Kafka } from 'kafkajs';
import type Cluster from 'kafkajs/src/cluster/index.js';
import type { Broker } from 'kafkajs/src/cluster/index.js';

/** Changes the cluster of each client as it is made: kafkajs 2.2.4 shows it to nobody. */
export function forEachCluster(kafka: Kafka, change: (cluster: Cluster) => void): void {
  const create = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === 'private:Kafka:createCluster',
  );
  const factories = kafka as unknown as Record<symbol, ((options: object) => Cluster) | undefined>;
  const original = create === undefined ? undefined : factories[create];
  if (create === undefined || original === undefined)
    throw new Error('this kafkajs makes its clusters in another way than 2.2.4');
  factories[create] = (options) => {
    const cluster = original(options);
    change(cluster);
    return cluster;
  };
}

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
