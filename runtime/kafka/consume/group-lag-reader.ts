import type { Admin } from 'kafkajs';
import { TelltaleError } from '../../errors.js';
import { readGroupLags, type ConsumedTopic, type GroupLag } from './group-lag.js';
import { openLastingAdmin } from '../client/admin.js';
import type { KafkaAccess } from '../client/kafka-access.js';

/** The lag of groups and the size of topics at one time. */
interface GroupLags {
  /** In the order in which they were asked for. */
  readonly groups: readonly GroupLag[];
  /** How many records each topic keeps; null where that can't be known. */
  readonly kept: ReadonlyMap<string, number | null>;
}

/** Reads over one connection, any number of times. */
export interface GroupLagReader {
  /** Rejects with KAFKA_UNREACHABLE where no broker answers. */
  read(consumed: readonly ConsumedTopic[], topics: readonly string[]): Promise<GroupLags>;
  stop(): Promise<void>;
}

export function openGroupLagReader(access: KafkaAccess): GroupLagReader {
  const asking = openLastingAdmin(access);
  return {
    async read(consumed, topics) {
      try {
        return await asking.ask(async (admin) => {
          const [groups, kept] = await Promise.all([
            readGroupLags(consumed, admin, access),
            Promise.all(
              topics.map(async (topic): Promise<[string, number | null]> => [
                topic,
                await keptIn(topic, admin),
              ]),
            ),
          ]);
          return { groups, kept: new Map(kept) };
        });
      } catch (cause) {
        throw new TelltaleError('KAFKA_UNREACHABLE', { brokers: access.brokers.join(', ') }, { cause });
      }
    },
    stop: () => asking.stop(),
  };
}

async function keptIn(topic: string, admin: Admin): Promise<number | null> {
  try {
    const ends = await admin.fetchTopicOffsets(topic);
    return ends.reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0);
  } catch {
    return null;
  }
}
