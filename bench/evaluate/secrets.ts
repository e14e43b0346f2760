import { isMet, lineOf } from './evaluation.js';
import { evaluateOrdinary, evaluateVectors, type Measured } from './secrets-evaluations.js';
import { ordinarySearches, vectors } from './secrets-measures.js';

/**
 * `npm run evaluate:secrets`: what the scrubber removes and leaves; exits with 1 if a requirement is missed.
 */
const [rows, searches] = [vectors(), ordinarySearches()];
if (rows === null) console.log('skipped: the vectors of secret scanners are not beside the checkout');
if (searches === null) console.log('skipped: the ordinary searches are not beside the checkout');

const all: readonly Measured[] = [
  ...(rows === null ? [] : evaluateVectors(rows)),
  ...(searches === null ? [] : evaluateOrdinary(searches)),
];
for (const { evaluation, wrong } of all) {
  console.log(lineOf(evaluation));
  if (process.env['EVALUATE_VERBOSE'] !== undefined) for (const line of wrong) console.log(`  ${line}`);
}

const below = all.filter(({ evaluation }) => !isMet(evaluation));
if (below.length > 0) {
  console.error(
    `not met: ${below.map(({ evaluation: { set, measure } }) => `${set}, ${measure}`).join('; ')}`,
  );
  process.exitCode = 1;
}
