import { reasonOf } from '../../runtime/errors.js';

/** What a check came to: `warning` will become a problem, `unknown` could not be looked at. */
export type Verdict = 'good' | 'warning' | 'problem' | 'unknown';

export interface Finding {
  readonly check: string;
  readonly verdict: Verdict;
  readonly detail: string;
  /** What to do about it; null where there is nothing to be done. */
  readonly cure: string | null;
}

/** What a look says of its check. */
export type Look = Omit<Finding, 'check'>;

/** One thing that is looked at. */
export interface Check {
  readonly name: string;
  /** A throw is the verdict `unknown`, with its reason. */
  readonly look: () => Promise<Look>;
}

export const good = (detail: string): Look => ({ verdict: 'good', detail, cure: null });
export const warning = (detail: string, cure: string): Look => ({
  verdict: 'warning',
  detail,
  cure,
});
export const problem = (detail: string, cure: string): Look => ({
  verdict: 'problem',
  detail,
  cure,
});

/** All at once; one that takes longer than `patienceMs` is unknown. */
export function runChecks(checks: readonly Check[], patienceMs = 30_000): Promise<readonly Finding[]> {
  return Promise.all(
    checks.map(async ({ name, look }): Promise<Finding> => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`no answer within ${patienceMs / 1_000} s`)), patienceMs);
      });
      try {
        return { check: name, ...(await Promise.race([look(), late])) };
      } catch (error) {
        return { check: name, verdict: 'unknown', detail: reasonOf(error), cure: null };
      } finally {
        clearTimeout(timer);
      }
    }),
  );
}

const mostNamed = 5;

/** `a, b and 3 more`. */
export function named(names: readonly string[]): string {
  const shown = names.slice(0, mostNamed).join(', ');
  return names.length > mostNamed ? `${shown} and ${names.length - mostNamed} more` : shown;
}
