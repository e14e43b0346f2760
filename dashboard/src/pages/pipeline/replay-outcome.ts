import { formatNumber } from '../../shared/format.js';

interface Replayed {
  readonly replayed: number;
  readonly left: number;
  readonly decided_before: readonly string[];
  readonly unknown: readonly string[];
}

/** What became of letters that were sent back, in words. */
export function outcomeOf({ replayed, left, decided_before: before, unknown }: Replayed): string {
  if (before.length > 0) return 'Nothing was done: somebody has decided about this letter before.';
  if (unknown.length > 0) return 'Nothing was done: there is no such letter any more.';
  const done = `${formatNumber(replayed, 0)} ${replayed === 1 ? 'letter' : 'letters'} went back.`;
  return left === 0 ? done : `${done} ${formatNumber(left, 0)} are open still: send them back as well.`;
}
