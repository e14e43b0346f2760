import type { DeductionCode } from './advice.js';
import type { Situation } from './situation.js';

/** The category of a deduction; the points of one category are bounded (see score.ts). */
export type Category = 'availability' | 'disk' | 'memory' | 'thread-pools' | 'other';

export interface Deduction {
  /** Stable name of the deduction. */
  readonly code: DeductionCode;
  /** Points that it costs by itself; the category's bound may leave fewer. */
  readonly points: number;
  /** Written for a person: what is wrong, where and by which figure; the cause; and one action. */
  readonly reason: string;
}

/** What a rule could not evaluate, and why. It costs nothing. */
export interface NotMeasured {
  readonly what: string;
  readonly reason: string;
}

export interface Verdict {
  readonly deductions: readonly Deduction[];
  readonly notMeasured: readonly NotMeasured[];
}

/** One way in which a cluster can be unhealthy. Pure; a worse situation never costs less. */
export interface Rule {
  readonly name: string;
  readonly category: Category;
  evaluate(situation: Situation): Verdict;
}

export const fine: Verdict = { deductions: [], notMeasured: [] };

export const deduct = (...deductions: readonly Deduction[]): Verdict => ({ deductions, notMeasured: [] });

export const notMeasured = (what: string, reason: string): Verdict => ({
  deductions: [],
  notMeasured: [{ what, reason }],
});
