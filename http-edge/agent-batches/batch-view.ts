import { hash } from 'node:crypto';
import type { Codec } from '../../runtime/codec.js';
import type { Condition } from '../../runtime/health.js';
import type { Checkpoint, ViewChange, ViewTarget } from '../../runtime/kafka/views/view-target.js';
import { startCompactedView } from '../../runtime/kafka/views/compacted-view.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { openViewStore, type StoreWriter, type ViewStore } from '../../runtime/kafka/views/view-store.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { IngestBatch } from '../../schemas/generated/ingest-batch.js';
import type { Topic } from '../../topics/topic.js';
import { batchKey } from './batch-id.js';

export interface BatchViewOptions {
  readonly folder: string;
  readonly topic: Topic<IngestBatch>;
  readonly codec: Codec<IngestBatch>;
  readonly kafka: KafkaAccess;
  readonly condition: Condition;
  readonly metrics: Metrics;
}

/**
 * The last batch of every spool and dataset. It is kept on this edge's disk, so that memory does not grow
 * with the number of spools.
 */
export interface BatchView {
  /**
   * Waits until this edge has read everything that the topic held at the time of the call. Rejects with
   * KAFKA_UNREACHABLE if that takes too long, and with VIEW_NOT_READ while this edge starts: if the topic has
   * grown, the key's last record can be in a partition that the key no longer maps to.
   */
  last(key: string): Promise<IngestBatch | undefined>;
  /** Keys of batches whose Idempotency-Keys have expired; 1,000 at most. */
  expired(): readonly string[];
  stop(): Promise<void>;
}

/** The dataset of events sent under an Idempotency-Key. Its batches are kept only while the key is valid. */
export const ofIdempotencyKeys = 'events of an Idempotency-Key';
/** A key is looked up under its ids of today and yesterday (UTC). */
const rememberedMicros = 49 * 3_600_000_000;

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
      view.requireCaughtUp();
      await view.upToDate(key);
      return target.get(key);
    },
    expired: () => target.expired(Date.now() * 1_000),
    async stop() {
      await view.stop();
      await store.close();
    },
  };
}

/** A transaction blocks the event loop, so it applies this many changes at most. */
const changesPerTransaction = 1_000;

export class BatchStore implements ViewTarget<IngestBatch> {
  constructor(private readonly store: ViewStore) {}

  get(key: string): IngestBatch | undefined {
    const stored = this.store.get(storeKey(key));
    return stored === undefined ? undefined : batchIn(stored);
  }

  expired(now: number): readonly string[] {
    return this.store.indexed(hourKey(now - rememberedMicros), changesPerTransaction).flatMap((indexKey) => {
      const stored = this.store.get(indexKey.slice(hourDigits));
      if (stored === undefined) return [];
      const { workspace, spool, dataset } = batchIn(stored);
      return [batchKey(workspace, spool, dataset)];
    });
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
          applyOne(writer, storeKey(key), value);
        }
        // The checkpoint is saved with the last chunk: repeating a change is harmless, skipping one is not.
        if (end >= changes.length) writer.saveCheckpoint(checkpoint);
      });
      start = end;
    } while (start < changes.length);
  }
}

function applyOne(writer: StoreWriter, key: string, value: IngestBatch | null): void {
  const stored = writer.get(key);
  if (value === null) {
    const before = stored === undefined ? undefined : batchIn(stored);
    if (before?.dataset === ofIdempotencyKeys) writer.removeIndex(hourKey(before.received_at) + key);
    writer.remove(key);
  } else if (isNewer(value, stored)) {
    if (value.dataset === ofIdempotencyKeys) writer.putIndex(hourKey(value.received_at) + key);
    writer.put(key, Buffer.from(JSON.stringify(value)));
  }
}

const hourDigits = 8;

/** An index key starts with the hour, so the index is ordered by age. The store's key follows. */
const hourKey = (micros: number): string =>
  String(Math.max(0, Math.floor(micros / 3_600_000_000))).padStart(hourDigits, '0');

const batchIn = (stored: Buffer): IngestBatch => JSON.parse(stored.toString('utf8')) as IngestBatch;

/** Older changes can be read again and must not overwrite newer ones. */
function isNewer(batch: IngestBatch, stored: Buffer | undefined): boolean {
  if (stored === undefined) return true;
  return batch.sequence > batchIn(stored).sequence;
}

/** The store's keys are limited in length; workspace names are not. */
function storeKey(key: string): string {
  return hash('sha256', key, 'hex');
}
