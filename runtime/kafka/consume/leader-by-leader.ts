import type { LogAccess } from './log-access.js';

/**
 * Runs work for each partition. Those of one broker run one after another, because kafkajs opens a connection for each
 * of two fetches that begin at once and closes only one of them.
 */
export async function leaderByLeader<Result>(
  log: Pick<LogAccess, 'byLeader'>,
  partitions: readonly number[],
  work: (leader: string, partition: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = await Promise.all(
    [...log.byLeader(partitions)].map(async ([leader, ids]) => {
      const done: Result[] = [];
      for (const id of ids) done.push(await work(leader, id));
      return done;
    }),
  );
  return results.flat();
}
