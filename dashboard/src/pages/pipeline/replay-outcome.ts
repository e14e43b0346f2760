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
  if (before.length > 0) return nothingDone('this letter has already been decided');
  if (unknown.length > 0) return nothingDone('this letter no longer exists');
  const done = `${formatNumber(replayed, 0)} ${replayed === 1 ? 'letter' : 'letters'} went back.`;
  return left === 0
    ? { status: 'ok', word: done }
    : {
        status: 'warn',
        word: `${done} ${formatNumber(left, 0)} ${left === 1 ? 'is' : 'are'} still open: send them back as well.`,
      };
}
