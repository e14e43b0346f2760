import { explained } from './advice.js';
import { deduct, fine, notMeasured, type Rule } from './rule.js';

/** Without an elected master nothing of the cluster's state can change, and most of it can't be read. */
export const noMaster: Rule = {
  name: 'no-master',
  category: 'availability',
  evaluate({ cluster }) {
    if (!cluster.known) return notMeasured('elected master', cluster.reason);
    if (!cluster.value.noMaster) return fine;
    return deduct({
      code: 'no_master',
      points: 60,
      reason: explained('no_master', 'No master node is elected.'),
    });
  },
};
