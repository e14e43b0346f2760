import { reasonOf } from '../../runtime/errors.js';

/** The result of a check: `warning` will become a problem, `unknown` could not be checked. */
export type Verdict = 'good' | 'warning' | 'problem' | 'unknown';

export interface Finding {
  readonly check: string;
  readonly verdict: Verdict;
  readonly detail: string;
  /** The remedy; null if there is nothing to do. */
  readonly cure: string | null;
}

/** The result of a check, without the check. */
export type Look = Omit<Finding, 'check'>;

export interface Check {
  readonly name: string;
  /** An exception is the verdict `unknown`, with its reason. */
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

/** Runs all checks at once. The verdict of a check that takes longer than `patienceMs` is `unknown`. */
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
