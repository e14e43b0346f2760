import type { Measure } from '../text/analysed-text.js';
import { readabilityIndices } from './indices.js';
import { roundAway } from './rounding.js';

/** Grades of a Flesch reading ease; below 30, and from 100 on, it is grade 13. */
function gradesOfReadingEase(ease: number): readonly number[] {
  if (ease >= 100 || ease < 30) return [13];
  if (ease >= 90) return [5];
  if (ease >= 80) return [6];
  if (ease >= 70) return [7];
  if (ease >= 60) return [8, 9];
  if (ease >= 50) return [10];
  return ease >= 40 ? [11] : [12];
}

/** The school grade that most indices agree on, each voting for its grade rounded and rounded up; the first wins a tie. */
export const aggregateReadingLevel: Measure<number> = (text) => {
  const indices = text.take(readabilityIndices);
  const both = (index: number): readonly number[] => [roundAway(index, 0), Math.ceil(index)];
  return mostFrequent([
    ...both(indices.fleschKincaidGrade),
    ...gradesOfReadingEase(indices.fleschReadingEase),
    ...both(indices.smogIndex),
    ...both(indices.colemanLiauIndex),
    ...both(indices.automatedReadabilityIndex),
    ...both(indices.daleChallReadabilityScore),
    ...both(indices.linsearWriteFormula),
    ...both(indices.gunningFog),
  ]);
};

function mostFrequent(grades: readonly number[]): number {
  let best = 0;
  let bestVotes = 0;
  for (const grade of grades) {
    let votes = 0;
    for (const other of grades) if (other === grade) votes += 1;
    if (votes > bestVotes) {
      best = grade;
      bestVotes = votes;
    }
  }
  // Math.ceil(-0.4) is -0, which JSON hides and a comparison does not.
  return best + 0;
}
