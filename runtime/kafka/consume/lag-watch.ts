import type { Admin } from 'kafkajs';
import { TelltaleError, reasonOf } from '../../errors.js';
import type { Logger } from '../../logging.js';
import type { Metrics } from '../../metrics.js';

interface LagWatchOptions {
  readonly admin: Admin;
  readonly groupId: string;
  readonly topic: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly fatal: (error: TelltaleError) => void;
}

export interface LagWatch {
  assigned(partitions: readonly number[]): void;
  /** Called when something has progressed, or while a known dependency is waited for. */
  progressed(): void;
  /** Everything in the partition before this offset has been read, and the group does not consume it. */
  skippedTo(partition: number, next: number): void;
  stop(): void;
}

const everyMs = 10_000;
const standstillMs = 180_000;

/**
 * Measures the group's lag, and ends the process when there is lag and nothing moves: a hung client looks healthy from
 * inside, and after a restart other members take over its partitions.
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
    // A broker that is away is an outage, not a group that does not move.
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
      // Another member reports the partitions that were taken away: a gauge that stays would report a lag that no
      // member has.
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
