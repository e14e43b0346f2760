import { explained } from './advice.js';
import { deduct, fine, notMeasured, type Rule } from './rule.js';
import type { Situation } from './situation.js';

const oftenPerHour = 3;

/** A master that changes is a sign of an overloaded node or of a network that drops connections. */
export const masterChanges: Rule = {
  name: 'master-changes',
  category: 'other',
  evaluate({ history: { masterChanges: changes }, cluster }) {
    const missing = whyUnknown(cluster);
    const verdict = missing === undefined ? fine : notMeasured('master changes', missing);
    if (changes === 0) return verdict;
    const deduction = deduct({
      code: 'master_changed',
      points: changes >= oftenPerHour ? 8 : 3,
      reason: explained('master_changed', `${changesOf(changes)} in the last hour${nowIs(cluster)}.`),
    });
    return { ...verdict, deductions: deduction.deductions };
  },
};

const changesOf = (changes: number): string =>
  changes === 1 ? 'Another node was elected master' : `Other nodes were elected master ${changes} times`;

function nowIs(cluster: Situation['cluster']): string {
  const master = cluster.known ? cluster.value.master : null;
  return master === null ? '' : `; the master is ${master} now`;
}

function whyUnknown(cluster: Situation['cluster']): string | undefined {
  if (!cluster.known) return cluster.reason;
  return cluster.value.masterKnown ? undefined : 'the elected master could not be read';
}
