import type Cluster from 'kafkajs/src/cluster/index.js';
import type { Broker, FetchedPartition } from 'kafkajs/src/cluster/index.js';
import { forEachBroker } from './hooks.js';
import { untilAborted } from '../../backoff.js';

/**
 * Hides the records of aborted transactions from the consumer of this cluster, correctly. kafkajs 2.2.4 does it itself
 * (consumer/filterAbortedMessages.js), but assumes that the broker's list of aborted transactions is sorted by their
 * first offset, and advances by at most one of them for each record. A broker lists them in the order in which they
 * ended. So where several overlap in one partition (a killed processor leaves one for each of its partitions), records
 * are read that were never committed, and a result is stored twice. Protocol: kafka.apache.org/protocol, Fetch; the
 * Java client's CompletedFetch uses a priority queue.
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
 * Marks the records of aborted transactions as control records: the library skips those, and its position moves past
 * them. Its own list becomes empty.
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
  /** How long an idle broker may keep a fetch. */
  readonly maxWaitMs: number;
}

/**
 * Has idle brokers keep a consumer's fetches for longer, and answer with the first record at once: a consumer that
 * gathers records in its fetches would otherwise ask for nothing several times a second.
 */
export class IdleFetches {
  /** Not a promise to race against: one of the consumer's whole life would hold each answer for as long. */
  private readonly ending = new AbortController();

  constructor(
    private readonly options: IdleFetchOptions,
    private readonly now = () => performance.now(),
  ) {}

  /** Ends the fetches of idle brokers without an answer: a consumer that stops waits for its fetches. */
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
