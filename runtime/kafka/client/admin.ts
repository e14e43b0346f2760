import type { Admin } from 'kafkajs';
import type Cluster from 'kafkajs/src/cluster/index.js';
import { createKafka } from './client.js';
import type { KafkaAccess } from './kafka-access.js';

/** For questions that are asked again, or whose caller goes on without an answer. */
export const fewRetries = { retries: 2, initialRetryTime: 50 };

/** Runs work over a connection of its own; tries each request as often as any client of ours unless told otherwise. */
export async function withAdmin<Result>(
  kafka: KafkaAccess,
  work: (admin: Admin) => Promise<Result>,
  retry?: typeof fewRetries,
): Promise<Result> {
  const admin = createKafka(kafka).admin(retry && { retry });
  try {
    await admin.connect();
    return await work(admin);
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

const readUncommitted = 0;

/** The library would count offsets only up to the first open transaction. */
const countUncommitted = (cluster: Cluster): void => void (cluster.isolationLevel = readUncommitted);

/** Runs work over one connection, any number of times. Offsets of records that are not committed count. */
interface LastingAdmin {
  ask<Answer>(question: (admin: Admin) => Promise<Answer>): Promise<Answer>;
  stop(): Promise<void>;
}

export function openLastingAdmin(kafka: KafkaAccess): LastingAdmin {
  let admin: Admin | undefined;
  const asking = new Set<Promise<unknown>>();

  /** A connection that has failed is not used again. */
  const release = async (): Promise<void> => {
    const failed = admin;
    admin = undefined;
    await failed?.disconnect().catch(() => undefined);
  };
  const askOnce = async <Answer>(question: (admin: Admin) => Promise<Answer>): Promise<Answer> => {
    try {
      if (admin === undefined) {
        admin = createKafka(kafka, countUncommitted).admin({ retry: fewRetries });
        await admin.connect();
      }
      return await question(admin);
    } catch (error) {
      await release();
      throw error;
    }
  };
  return {
    ask(question) {
      const answer = askOnce(question);
      asking.add(answer);
      const forget = () => asking.delete(answer);
      answer.then(forget, forget);
      return answer;
    },
    async stop() {
      // The library reconnects for a request that comes after a disconnect, and then the process would never end.
      await Promise.allSettled(asking);
      await release();
    },
  };
}
