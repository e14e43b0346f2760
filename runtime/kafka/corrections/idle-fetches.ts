import type Cluster from 'kafkajs/src/cluster/index.js';
import type { Broker } from 'kafkajs/src/cluster/index.js';
import { untilAborted } from '../../backoff.js';
import { forEachBroker } from './hooks.js';

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
