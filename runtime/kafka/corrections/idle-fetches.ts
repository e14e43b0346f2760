import type Cluster from 'kafkajs/src/cluster/index.js';
import type { Broker } from 'kafkajs/src/cluster/index.js';
import { unlessAborted } from '../../backoff.js';
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
        ? await this.unlessEnded(fetch({ ...asked, minBytes: 1, maxWaitTime: maxWaitMs }))
        : await fetch(asked);
      const returned = answer.responses.some(({ partitions }) =>
        partitions.some(({ messages }) => messages.length > 0),
      );
      if (returned) lastRecordAt = this.now();
      return answer;
    };
  }

  /** A race against one promise of the consumer's whole life would hold each answer for as long. */
  private async unlessEnded(fetched: ReturnType<Fetch>): ReturnType<Fetch> {
    const { signal } = this.ending;
    try {
      return await unlessAborted(fetched, signal);
    } catch (error) {
      if (signal.aborted) return { responses: [] };
      throw error;
    }
  }
}

type Fetch = Broker['fetch'];
