import { formatNumber } from '../../shared/format.js';

interface Replayed {
  readonly replayed: number;
  readonly left: number;
  readonly decided_before: readonly string[];
  readonly unknown: readonly string[];
}

export interface ReplayOutcome {
  readonly status: 'ok' | 'warn';
  readonly word: string;
}

const nothingDone = (why: string): ReplayOutcome => ({ status: 'warn', word: `Nothing was done: ${why}.` });

/** The outcome of sending letters back, in words. */
export function outcomeOf({ replayed, left, decided_before: before, unknown }: Replayed): ReplayOutcome {
  if (before.length > 0) return nothingDone('somebody has decided about this letter before');
  if (unknown.length > 0) return nothingDone('there is no such letter any more');
  const done = `${formatNumber(replayed, 0)} ${replayed === 1 ? 'letter' : 'letters'} went back.`;
  return left === 0
    ? { status: 'ok', word: done }
    : { status: 'warn', word: `${done} ${formatNumber(left, 0)} are open still: send them back as well.` };
}
