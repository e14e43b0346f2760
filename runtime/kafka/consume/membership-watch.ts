import type { Consumer } from 'kafkajs';

export interface MembershipWatch {
  stop(): void;
}

const lookEveryMs = 1_000;

/**
 * Calls `lost` where a member that has joined its group has had no answer to a heartbeat for `quietMs`, which must be
 * longer than a session and a rebalance together: the group has assigned its partitions to others. kafkajs rejoins by
 * itself. But where the coordinator has forgotten the member and its first try to join fails too, kafkajs continues
 * without a membership: it fetches, sends no heartbeat and never joins again.
 */
export function watchMembership(consumer: Consumer, quietMs: number, lost: () => void): MembershipWatch {
  /** Undefined while it is not a member: it is about to join. */
  let heardAt: number | undefined;
  const heard = (): void => {
    heardAt = performance.now();
  };
  const { GROUP_JOIN, HEARTBEAT, CRASH } = consumer.events;
  const remove = [
    consumer.on(GROUP_JOIN, heard),
    consumer.on(HEARTBEAT, heard),
    consumer.on(CRASH, () => (heardAt = undefined)),
  ];
  const timer = setInterval(() => {
    if (heardAt === undefined || performance.now() - heardAt < quietMs) return;
    heardAt = undefined;
    lost();
  }, lookEveryMs);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      for (const each of remove) each();
    },
  };
}
