import type { Replay } from '../../schemas/generated/replay.js';

/** How long this many records take at the rate of the last replay of this kind; null if there was none. */
export function secondsAsLast(
  replays: ReadonlyMap<string, Replay>,
  kind: Replay['kind'],
  records: number,
): number | null {
  const [last] = [...replays.values()]
    .filter((one) => one.kind === kind && one.rate !== null && one.rate > 0)
    .sort((a, b) => b.updated_at - a.updated_at);
  return typeof last?.rate === 'number' ? Math.ceil(records / last.rate) : null;
}
