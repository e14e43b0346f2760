import { table } from '../../cli/table.js';
import { isMet, type Evaluation } from './evaluation.js';

const number = (value: number): string => String(Number(value.toFixed(4)));

/** The figures as aligned text, one line each. */
export function tableOf(evaluations: readonly Evaluation[]): string {
  const rows = [
    ['metric', 'set', 'measure', 'ours', 'reference', 'wanted', '', 'note'],
    ...evaluations.map((evaluation) => {
      const { metric, set, measure, figure, reference, target, note = '' } = evaluation;
      const wanted = 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
      return [
        metric,
        set,
        measure,
        number(figure),
        reference === null ? '' : number(reference),
        wanted,
        isMet(evaluation) ? 'met' : 'NOT MET',
        note,
      ];
    }),
  ];
  return table(rows);
}
