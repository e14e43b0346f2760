import { partitionOf } from '../protocol/partitioning.js';
import { logEnd, type LogAccess } from './log-access.js';

/** How long a writer may take to hear of a growth, with time to spare. */
const lateWritersMs = 60_000;

/**
 * The partitions that may have records of a key, appended from `since` on (milliseconds since 1970; ever where it is
 * absent): that of the present number of partitions first, and those of every smaller number that the topic may have
 * had.
 */
export async function partitionsOfKey(
  log: Pick<LogAccess, 'partitions' | 'hasLeader' | 'offsets'>,
  key: string,
  since?: number,
): Promise<readonly number[]> {
  const least = since === undefined ? 1 : await leastCount(log, since - lateWritersMs);
  const counts = Array.from({ length: log.partitions.length - least + 1 }, (_, index) => least + index);
  return [...new Set(counts.reverse().map((count) => partitionOf(key, count)))];
}

/** The number of partitions that a topic had at least at some time: the last with a record from before had been made. */
async function leastCount(
  { partitions, hasLeader, offsets }: Pick<LogAccess, 'partitions' | 'hasLeader' | 'offsets'>,
  time: number,
): Promise<number> {
  const led = partitions.filter(hasLeader);
  const at = (when: number) => offsets(new Map(led.map((id) => [id, when])));
  const [later, ends] = await Promise.all([at(time), at(logEnd)]);
  const none = -1;
  const endThen = (id: number): number => {
    const first = later.get(id) ?? none;
    return first === none ? (ends.get(id) ?? 0) : first;
  };
  return 1 + Math.max(0, ...led.filter((id) => endThen(id) > 0));
}
