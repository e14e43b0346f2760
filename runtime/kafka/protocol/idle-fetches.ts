import type Cluster from 'kafkajs/src/cluster/index.js';

export interface IdleFetches {
  /** A broker that has returned no record for this long is idle. */
  readonly afterMs: number;
  /** How long an idle broker may keep a fetch. */
  readonly maxWaitMs: number;
}

/**
 * Has idle brokers keep the fetches of this cluster for longer, and answer with the first record at once: a consumer
 * that gathers records in its fetches would otherwise ask for nothing several times a second. Call it before the
 * cluster connects.
 */
export function waitLongerWhileIdle(
  { brokerPool }: Pick<Cluster, 'brokerPool'>,
  { afterMs, maxWaitMs }: IdleFetches,
  now = () => performance.now(),
): void {
  const create = brokerPool.createBroker;
  brokerPool.createBroker = (options) => {
    const broker = create(options);
    const fetch = broker.fetch.bind(broker);
    let lastRecordAt = now();
    broker.fetch = async (asked) => {
      const idle = now() - lastRecordAt >= afterMs;
      const answer = await fetch(idle ? { ...asked, minBytes: 1, maxWaitTime: maxWaitMs } : asked);
      const returned = answer.responses.some(({ partitions }) =>
        partitions.some(({ messages }) => messages.length > 0),
      );
      if (returned) lastRecordAt = now();
      return answer;
    };
    return broker;
  };
}
