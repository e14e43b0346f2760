import type { Admin } from 'kafkajs';
import { TelltaleError, reasonOf } from '../../errors.js';
import type { Logger } from '../../logging.js';
import type { Metrics } from '../../metrics.js';

export interface LagWatchOptions {
  readonly admin: Admin;
  readonly groupId: string;
  readonly topic: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly fatal: (error: TelltaleError) => void;
}

export interface LagWatch {
  assigned(partitions: readonly number[]): void;
  /** Something moved, or something known is being waited for. */
  progressed(): void;
  /** Everything of the partition before this offset has been read, and none of it was for us. */
  skippedTo(partition: number, next: number): void;
  stop(): void;
}

const everyMs = 10_000;
const standstillMs = 180_000;

/**
 * Measures the group's lag, and ends the process when lag stands and nothing moves: a hung client looks healthy from
 * inside, and a restart takes its partitions over cleanly.
 */
export function watchLag({ admin, groupId, topic, logger, metrics, fatal }: LagWatchOptions): LagWatch {
  const gauge = metrics.gauge('telltale_consumer_lag_records', 'Records between the group and the log end.', [
    'group',
    'topic',
    'partition',
  ]);
  let mine: ReadonlySet<number> = new Set();
  const skipped = new Map<number, number>();
  let movedAt = Date.now();

  const look = async (): Promise<void> => {
    const [ends, [committed]] = await Promise.all([
      admin.fetchTopicOffsets(topic),
      admin.fetchOffsets({ groupId, topics: [topic] }),
    ]);
    let lag = 0;
    for (const { partition, high, low } of ends) {
      if (!mine.has(partition)) continue;
      const offset = Number(
        committed?.partitions.find((found) => found.partition === partition)?.offset ?? -1,
      );
      const behind = Math.max(0, Number(high) - Math.max(offset, Number(low), skipped.get(partition) ?? 0));
      gauge.set({ group: groupId, topic, partition: String(partition) }, behind);
      lag += behind;
    }
    if (lag === 0) movedAt = Date.now();
    else if (Date.now() - movedAt > standstillMs) {
      fatal(
        new TelltaleError('CONSUMER_STUCK', { group: groupId, topic, lag, seconds: standstillMs / 1_000 }),
      );
    }
  };

  const timer = setInterval(() => {
    // A broker that is away is an outage, not a standstill of ours.
    look().catch((error: unknown) => {
      movedAt = Date.now();
      logger.debug(
        { event: 'group-lag-unknown', groupId, topic, reason: reasonOf(error) },
        'lag can not be measured now',
      );
    });
  }, everyMs);
  timer.unref();
  return {
    assigned(partitions) {
      // Another member tells of those that went: a gauge that stands still would say a lag that nobody has.
      for (const partition of mine)
        if (!partitions.includes(partition))
          gauge.remove({ group: groupId, topic, partition: String(partition) });
      mine = new Set(partitions);
      skipped.clear();
      movedAt = Date.now();
    },
    progressed: () => void (movedAt = Date.now()),
    skippedTo: (partition, next) => void skipped.set(partition, next),
    stop: () => clearInterval(timer),
  };
}
