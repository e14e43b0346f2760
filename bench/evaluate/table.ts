import { isMet, type Evaluation } from './evaluation.js';

const number = (value: number): string => String(Number(value.toFixed(4)));

/** The figures as aligned text, a line each. */
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
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
