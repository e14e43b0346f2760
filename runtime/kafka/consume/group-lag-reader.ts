import type { Admin } from 'kafkajs';
import { TelltaleError } from '../../errors.js';
import { readGroupLags, type ConsumedTopic, type GroupLag } from './group-lag.js';
import { createKafka } from '../client/client.js';
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
  const kafka = createKafka(access);
  let admin: Admin | undefined;
  const reading = new Set<Promise<unknown>>();

  /** A connection that has failed is not used again. */
  const release = async (): Promise<void> => {
    const failed = admin;
    admin = undefined;
    await failed?.disconnect().catch(() => undefined);
  };
  const read: GroupLagReader['read'] = async (consumed, topics) => {
    try {
      if (admin === undefined) {
        admin = kafka.admin({ retry: { retries: 2, initialRetryTime: 50 } });
        await admin.connect();
      }
      const asked = admin;
      const [groups, kept] = await Promise.all([
        readGroupLags(consumed, asked, access),
        Promise.all(
          topics.map(async (topic): Promise<[string, number | null]> => [topic, await keptIn(topic, asked)]),
        ),
      ]);
      return { groups, kept: new Map(kept) };
    } catch (cause) {
      await release();
      throw new TelltaleError('KAFKA_UNREACHABLE', { brokers: access.brokers.join(', ') }, { cause });
    }
  };
  return {
    read(consumed, topics) {
      const result = read(consumed, topics);
      reading.add(result);
      const forget = () => reading.delete(result);
      result.then(forget, forget);
      return result;
    },
    async stop() {
      // The library reconnects for a request that comes after a disconnect, and then the process would never end.
      await Promise.allSettled(reading);
      await release();
    },
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
