import type { Evaluation } from './evaluation.js';
import {
  lookAlikes,
  ordinaryLeftAlone,
  plantedSecrets,
  type Count,
  type Vector,
} from './secrets-measures.js';

/** A figure of the scrubber, and one line for each row that it got wrong. */
export interface Measured {
  readonly evaluation: Evaluation;
  readonly wrong: readonly string[];
}

const measured = (
  set: string,
  measure: string,
  count: Count,
  target: (count: Count) => Pick<Evaluation, 'figure' | 'target'>,
): Measured => ({
  evaluation: { metric: 'scrubber', set, measure, reference: null, ...target(count), note: `of ${count.of}` },
  wrong: count.rest,
});

const atLeast =
  (least: number) =>
  ({ right, of }: Count): Pick<Evaluation, 'figure' | 'target'> => ({
    figure: right / of,
    target: { atLeast: least },
  });

/** What the scrubber must reach on the published vectors of secret scanners. */
export const evaluateVectors = (rows: readonly Vector[]): readonly Measured[] => [
  ...Array.from(plantedSecrets(rows), ([embedding, count]) =>
    measured('planted secrets', `removed, ${embedding}`, count, atLeast(0.99)),
  ),
  measured('look-alikes that no key names', 'left alone', lookAlikes(rows), atLeast(0.8)),
];

/** How many searches without a credential it may change. */
export const evaluateOrdinary = (searches: readonly string[]): readonly Measured[] => [
  measured('ordinary searches', 'touched', ordinaryLeftAlone(searches), ({ of, rest }) => ({
    figure: rest.length / of,
    target: { atMost: 0.02 },
  })),
];
