import { hash } from 'node:crypto';
import type { Codec } from '../../runtime/codec.js';
import type { Condition } from '../../runtime/health.js';
import type { Checkpoint } from '../../runtime/kafka/checkpoint.js';
import { startCompactedView, type ViewChange, type ViewTarget } from '../../runtime/kafka/compacted-view.js';
import type { KafkaAccess } from '../../runtime/kafka/log-access.js';
import { openViewStore, type ViewStore } from '../../runtime/kafka/view-store.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { IngestBatch } from '../../schemas/generated/ingest-batch.js';
import type { Topic } from '../../topics/topic.js';

export interface BatchViewOptions {
  readonly folder: string;
  readonly topic: Topic<IngestBatch>;
  readonly codec: Codec<IngestBatch>;
  readonly kafka: KafkaAccess;
  readonly condition: Condition;
  readonly metrics: Metrics;
}

/** The last batch of every spool and dataset, on this edge's disk: memory does not grow with the spools there ever were. */
export interface BatchView {
  /** Knows all that the topic held when asked; rejects with KAFKA_UNREACHABLE where that takes too long. */
  last(key: string): Promise<IngestBatch | undefined>;
  stop(): Promise<void>;
}

export function startBatchView({
  folder,
  topic,
  codec,
  kafka,
  condition,
  metrics,
}: BatchViewOptions): BatchView {
  const store = openViewStore({ folder, format: 'ingest-batches/1', logger: kafka.logger });
  const target = new BatchStore(store);
  const view = startCompactedView({ topic, codec, target, kafka, condition, metrics });
  return {
    async last(key) {
      await view.upToDate(key);
      return target.get(key);
    },
    async stop() {
      await view.stop();
      await store.close();
    },
  };
}

/** A transaction holds the event loop: it takes so many changes at most. */
const changesPerTransaction = 1_000;

class BatchStore implements ViewTarget<IngestBatch> {
  constructor(private readonly store: ViewStore) {}

  get(key: string): IngestBatch | undefined {
    const stored = this.store.get(storeKey(key));
    return stored === undefined ? undefined : (JSON.parse(stored.toString('utf8')) as IngestBatch);
  }

  checkpoint(): Checkpoint | undefined {
    return this.store.checkpoint();
  }

  clear(): Promise<void> {
    return this.store.clear();
  }

  async apply(changes: readonly ViewChange<IngestBatch>[], checkpoint: Checkpoint): Promise<void> {
    let start = 0;
    do {
      const end = start + changesPerTransaction;
      const part = changes.slice(start, end);
      await this.store.write((writer) => {
        for (const { key, value } of part) {
          if (value === null) writer.remove(storeKey(key));
          else if (isNewer(value, writer.get(storeKey(key))))
            writer.put(storeKey(key), Buffer.from(JSON.stringify(value)));
        }
        // With the last part only: what lies before it may be applied twice, but never left out.
        if (end >= changes.length) writer.saveCheckpoint(checkpoint);
      });
      start = end;
    } while (start < changes.length);
  }
}

/** Older changes may be read again: they must not take the place of a newer one. */
function isNewer(batch: IngestBatch, stored: Buffer | undefined): boolean {
  if (stored === undefined) return true;
  return batch.sequence > (JSON.parse(stored.toString('utf8')) as IngestBatch).sequence;
}

/** The store's keys are bounded in length; a workspace's name need not be. */
function storeKey(key: string): string {
  return hash('sha256', key, 'hex');
}
