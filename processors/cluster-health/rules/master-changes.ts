import { deduct, fine, type Rule } from './rule.js';
import { count } from './wording.js';

const oftenPerHour = 3;

/** A master that changes is a sign of an overloaded node or of a network that drops connections. */
export const masterChanges: Rule = {
  name: 'master-changes',
  category: 'other',
  judge({ history: { masterChanges: changes } }) {
    if (changes === 0) return fine;
    return deduct({
      code: 'master_changed',
      points: changes >= oftenPerHour ? 8 : 3,
      reason: `The elected master changed ${count(changes, 'time')} in the last hour.`,
    });
  },
};
