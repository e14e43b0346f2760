import { writeFileSync } from 'node:fs';
import { evaluateEmbeddings } from './embeddings.js';
import { isMet, type Evaluated, type Evaluation } from './evaluation.js';
import { evaluationPicture } from './picture.js';
import { evaluatePii } from './pii-evaluations.js';
import { tableOf } from './table.js';
import { evaluateTextMeasures } from './text-measures.js';

/**
 * `npm run evaluate`: every figure with the reference's and the required one, as text and docs/scorers.svg.
 */
const evaluated: readonly Evaluated[] = [
  evaluateTextMeasures(),
  ...evaluatePii(),
  ...(await evaluateEmbeddings()),
];
const figures = evaluated.flatMap((each): readonly Evaluation[] => ('skipped' in each ? [] : each));
const skipped = evaluated.flatMap((each) => ('skipped' in each ? [each.skipped] : []));

console.log(tableOf(figures));
for (const reason of skipped) console.log(`skipped: ${reason}`);
// A picture of some of the figures would hide that others are missing.
if (skipped.length === 0) {
  writeFileSync('docs/scorers.svg', evaluationPicture(figures));
  console.log('wrote docs/scorers.svg');
}
if (!figures.every(isMet)) process.exitCode = 1;
