import { at, type ClusterAnswers } from '../cluster-answers.js';
import type { Counterpart } from '../same-columns.js';

/** `column: 'path.in.it'`, within one part of the answers. */
export type Paths = Readonly<Record<string, string>>;

type Part = (answers: ClusterAnswers) => unknown;

export const below = (from: Part, paths: Paths): Record<string, Counterpart> =>
  Object.fromEntries(
    Object.entries(paths).map(([column, path]) => [
      column,
      (answers) => at(from(answers), ...path.split('.')),
    ]),
  );

/** The same for `_cat`, whose keys have dots. */
export const flat = (from: Part, keys: Paths): Record<string, Counterpart> =>
  Object.fromEntries(
    Object.entries(keys).map(([column, key]) => [column, (answers) => at(from(answers), key)]),
  );

/** One value for each of the columns, such as the reason why they have no rule. */
export const each = <Value>(columns: readonly string[], value: Value): Record<string, Value> =>
  Object.fromEntries(columns.map((column) => [column, value]));

export const derived = 'derived from two snapshots: same-rates.ts holds it to their counters';

type Named = readonly (readonly [string, unknown])[];

/** The named objects of a node at a path, in the order of its answer. */
export const namedBelow =
  (...path: readonly string[]) =>
  (answers: ClusterAnswers): Named =>
    Object.entries(at(answers.node, ...path) ?? {});

export const listOf =
  (
    all: (answers: ClusterAnswers) => Named,
    value: (name: string, one: unknown, answers: ClusterAnswers) => unknown,
  ): Counterpart =>
  (answers) =>
    all(answers).map(([name, one]) => value(name, one, answers) ?? null);

/** Nested columns: the name of each object, if there is a column for it, and the values at keys. */
export function lists(
  group: string,
  nameColumn: string | null,
  all: (answers: ClusterAnswers) => Named,
  keys: Paths,
): Record<string, Counterpart> {
  const columns = Object.entries(keys).map(([column, key]) => [
    `${group}.${column}`,
    listOf(all, (_, one) => at(one, key)),
  ]);
  const names = nameColumn === null ? [] : [[`${group}.${nameColumn}`, listOf(all, (name) => name)]];
  return Object.fromEntries([...names, ...columns]) as Record<string, Counterpart>;
}
