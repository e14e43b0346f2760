import type { Bound, StoredRow } from '../same-columns.js';

/** The numbers of columns, one per element for lists; NaN if one is null. */
const numbers = (row: StoredRow, ...columns: readonly string[]): readonly (readonly number[])[] => {
  const all = columns.map((column) => [row[column]].flat());
  return (all[0] ?? []).map((_, index) =>
    all.map((list) => (typeof list[index] === 'number' ? list[index] : NaN)),
  );
};

/** 0 ≤ first ≤ second ≤ …; for lists, element by element. */
export const rising =
  (...columns: readonly string[]): Bound =>
  (row) =>
    numbers(row, ...columns).every((values) =>
      values.every((value, index) => value >= (values[index - 1] ?? 0)),
    );

/** As `rising`, for the elements that have a limit. */
export const upToLimit =
  (column: string, limit: string): Bound =>
  (row) =>
    numbers(row, column, limit).every(([value = NaN, most = NaN]) => value >= 0 && !(value > most));

export const sum =
  (whole: string, ...parts: readonly string[]): Bound =>
  (row) =>
    numbers(row, whole, ...parts).every(([all, ...of]) => of.reduce((total, one) => total + one) === all);

/** A whole percentage, rounded in any way. */
export const isShareOf =
  (percent: string, part: string, whole: string): Bound =>
  (row) =>
    numbers(row, percent, part, whole).every(
      ([said = NaN, some = NaN, all = NaN]) => Math.abs(said - (100 * some) / all) <= 1,
    );

/** 0 or more, and not null. */
export const amount = (column: string): Bound => rising(column);
