import { scoringRequests } from '../../../topics/scoring.js';
import type { KafkaAccess } from '../../kafka/client/kafka-access.js';
import { openLog } from '../../kafka/consume/log-access.js';
import { wholeLog } from '../../kafka/consume/read-log.js';
import type { ScoringProgress, ScoringReplayRequest } from './scoring-replay-request.js';

export type RequestPlan = NonNullable<ScoringProgress['plan']>;

/** The offsets of scoring.requests between two timestamps, up to the current end of the log. */
export async function planRequests(
  access: KafkaAccess,
  { from, to }: Pick<ScoringProgress, 'from' | 'to'>,
): Promise<RequestPlan> {
  const log = openLog(scoringRequests.name, access);
  try {
    await log.refresh();
    const whole = await wholeLog(log);
    const at = async (timestamp: number | null) =>
      timestamp === null ? undefined : log.offsets(new Map(log.partitions.map((id) => [id, timestamp])));
    const [firsts, lasts] = [await at(from), await at(to)];
    return [...whole].flatMap(([partition, range]) => {
      const first = Math.max(range.from, boundAt(firsts, partition, range.from, range.to));
      const last = Math.min(range.to, boundAt(lasts, partition, range.to, range.to));
      return first < last ? [{ partition, from: first, to: last }] : [];
    });
  } finally {
    await log.close().catch(() => undefined);
  }
}

/** Whether scoring.requests has all requests to be replayed. Otherwise the stored results have them. */
export async function isOfTopic(
  access: KafkaAccess,
  { where }: Pick<ScoringReplayRequest, 'where'>,
  { from }: Pick<ScoringProgress, 'from'>,
): Promise<boolean> {
  if (where.length > 0) return false;
  if (from === null) return true;
  const log = openLog(scoringRequests.name, access);
  try {
    await log.refresh();
    const whole = [...(await wholeLog(log))];
    const firsts = await log.offsets(new Map(whole.map(([partition]) => [partition, from])));
    return whole.every(([partition, { from: start, to: end }]) => {
      const found = firsts.get(partition) ?? -1;
      // A timestamp after the last record has no offset.
      const first = found < 0 ? end : found;
      const wasNeverCut = start === 0;
      const hasOlder = first > start;
      return wasNeverCut || hasOlder;
    });
  } finally {
    await log.close().catch(() => undefined);
  }
}

/** The first offset at or after a timestamp; the log end if no record is that new. */
function boundAt(
  offsets: ReadonlyMap<number, number> | undefined,
  partition: number,
  unbounded: number,
  end: number,
): number {
  if (offsets === undefined) return unbounded;
  const found = offsets.get(partition) ?? -1;
  return found < 0 ? end : found;
}

export const offsetsIn = (plan: RequestPlan): number =>
  plan.reduce((sum, { from, to }) => sum + to - from, 0);

/** The first offset of each partition now: offsets of a plan might have expired since. */
export async function requestStarts(access: KafkaAccess): Promise<ReadonlyMap<number, number>> {
  const log = openLog(scoringRequests.name, access);
  try {
    await log.refresh();
    return new Map([...(await wholeLog(log))].map(([partition, { from }]) => [partition, from]));
  } finally {
    await log.close().catch(() => undefined);
  }
}
