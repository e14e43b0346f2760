import { deduct, fine, notMeasured, type Rule } from './rule.js';
import type { Situation } from './situation.js';
import { count } from './wording.js';

const oftenPerHour = 3;

/** A master that changes is a sign of an overloaded node or of a network that drops connections. */
export const masterChanges: Rule = {
  name: 'master-changes',
  category: 'other',
  judge({ history: { masterChanges: changes }, cluster }) {
    const missing = whyUnknown(cluster);
    const verdict = missing === undefined ? fine : notMeasured('master changes', missing);
    if (changes === 0) return verdict;
    const deduction = deduct({
      code: 'master_changed',
      points: changes >= oftenPerHour ? 8 : 3,
      reason: `The elected master changed ${count(changes, 'time')} in the last hour.`,
    });
    return { ...verdict, deductions: deduction.deductions };
  },
};

function whyUnknown(cluster: Situation['cluster']): string | undefined {
  if (!cluster.known) return cluster.reason;
  return cluster.value.masterKnown ? undefined : 'the elected master could not be read';
}
