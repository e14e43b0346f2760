import assert from 'node:assert/strict';
import { kindOf } from '../../schemas/cluster-rows/kinds.js';
import type { ClusterAnswers } from './cluster-answers.js';

export type StoredRow = Readonly<Record<string, unknown>>;

/** Where a cluster's own answers have what a column holds; undefined where its version has no such thing. */
export type Counterpart = (answers: ClusterAnswers) => unknown;

type Counterparts = Readonly<Record<string, Counterpart>>;

/** What of a row can be told without its cluster: true where it makes sense. */
export type Bound = (row: StoredRow) => boolean;

/** Why a column is null on one version, and where `unavailable` has to say so. */
export interface Absence {
  readonly field: string;
  readonly reason: RegExp;
}

/** Every column of a table is in one of the first four; in none, or in two, and the comparison fails. */
export interface ColumnRules {
  /** Stands still on a quiet cluster, or only grows: what is stored lies between the answers before and after. */
  readonly same: Counterparts;
  /** Goes up and down, all of a group at once: the whole group is what the cluster answered in one of the readings. */
  readonly moved?: Readonly<Record<string, Counterparts>>;
  /** Goes up and down between any two answers: it keeps within its bounds. */
  readonly within?: Readonly<Record<string, Bound>>;
  /** With the reason why no answer of the cluster has it. */
  readonly without: Readonly<Record<string, string>>;
  /** What the columns of a row must be to one another. */
  readonly consistent?: Readonly<Record<string, Bound>>;
  /** What a version does not tell, or tells wrongly; null on that version and on no other. */
  readonly absent?: (major: number) => Readonly<Record<string, Absence>>;
  /** With the reason: null where the cluster has none either. Every other null is wrong, also one on both sides. */
  readonly optional?: Readonly<Record<string, string>>;
}

/** What a row is held to: the answers of its cluster from before it was collected until after, in their order. */
interface Expectation {
  readonly major: number;
  readonly readings: readonly ClusterAnswers[];
  /** Of the snapshot that the row is of. */
  readonly unavailable: Readonly<Record<string, string>>;
}

/** Holds a row to what the cluster said before it was collected, meanwhile, and after. */
export function sameColumns(
  table: string,
  columns: readonly string[],
  rules: ColumnRules,
  row: StoredRow,
  expected: Expectation,
): void {
  const { same, moved = {}, within = {}, without, consistent = {} } = rules;
  const groups = Object.values(moved);
  const ruled = [same, ...groups, within, without].flatMap((rule) => Object.keys(rule));
  assert.deepEqual(ruled.toSorted(), [...columns].sort(), `${table}: each column has one rule`);
  const absent = rules.absent?.(expected.major) ?? {};
  const held = (counterparts: Counterparts): Counterparts =>
    Object.fromEntries(Object.entries(counterparts).filter(([column]) => absent[column] === undefined));
  const wrong = [
    ...Object.entries(absent).flatMap(([column, absence]) => {
      const counterpart = [same, ...groups].find((rule) => rule[column] !== undefined)?.[column];
      return wronglyAbsent(column, absence, counterpart, row, expected);
    }),
    ...Object.entries(held(same)).flatMap(([column, counterpart]) =>
      notSame(column, counterpart, row, expected, rules.optional?.[column] !== undefined),
    ),
    ...Object.entries(moved).flatMap(([group, counterparts]) =>
      notSeen(group, held(counterparts), row, expected, rules.optional ?? {}),
    ),
    ...Object.entries({ ...within, ...consistent })
      .filter(([, bound]) => !bound(row))
      .map(([name]) => `${name} is out of its bounds: ${shown(row[name])}`),
  ];
  assert.deepEqual(wrong, [], `${table} is not what the cluster says`);
}

function notSame(
  column: string,
  counterpart: Counterpart,
  row: StoredRow,
  { readings }: Expectation,
  isOptional: boolean,
): string[] {
  const value = stored(column, row[column]);
  const said = readings.map((reading) => plain(counterpart(reading)));
  if (!isBetween(value, said))
    return [
      `${column} is ${shown(value)}, the cluster says ${[...new Set(said.map(shown))].join(', then ')}`,
    ];
  return isNothing(value) && !isOptional ? [`${column} is nothing on both sides`] : [];
}

/** A group is measured at once and kept for a second by the node, so that some answer has all of it alike. */
function notSeen(
  group: string,
  counterparts: Counterparts,
  row: StoredRow,
  { readings }: Expectation,
  optional: Readonly<Record<string, string>>,
): string[] {
  const columns = Object.entries(counterparts);
  const nothing = columns
    .filter(([column]) => isNothing(row[column]) && optional[column] === undefined)
    .map(([column]) => `${column} is nothing`);
  const differences = readings.map((reading) =>
    columns.flatMap(([column, counterpart]) => {
      const [value, said] = [stored(column, row[column]), plain(counterpart(reading))];
      return isBetween(value, [said]) ? [] : [`${column} is ${shown(value)}, not ${shown(said)}`];
    }),
  );
  const [least = []] = differences.toSorted((one, other) => one.length - other.length);
  return least.length === 0 ? nothing : [`${group}, as never answered: ${least.join('; ')}`, ...nothing];
}

function wronglyAbsent(
  column: string,
  { field, reason }: Absence,
  counterpart: Counterpart | undefined,
  row: StoredRow,
  { readings, unavailable }: Expectation,
): string[] {
  const said = counterpart === undefined ? [] : readings.map((reading) => plain(counterpart(reading)));
  const listed = unavailable[field];
  return [
    ...((row[column] ?? null) === null ? [] : [`${column} is ${shown(row[column])} and not null`]),
    ...(said.every((one) => one === null || one === 0) ? [] : [`${column} is said: ${shown(said)}`]),
    ...(listed !== undefined && reason.test(listed) ? [] : [`${field} is unavailable as ${shown(listed)}`]),
  ];
}

/** Between the least and the most that was said, or just that, where it is no number. */
function isBetween(value: unknown, said: readonly unknown[]): boolean {
  if (typeof value === 'number' && said.every((one) => typeof one === 'number')) {
    return value >= Math.min(...said) && value <= Math.max(...said);
  }
  if (Array.isArray(value) && said.every((one) => Array.isArray(one) && one.length === value.length)) {
    return value.every((one, index) =>
      isBetween(
        one,
        said.map((list) => plain((list as readonly unknown[])[index])),
      ),
    );
  }
  return said.every((one) => shown(value) === shown(one));
}

/** Null, or a list or map with nothing but null in it. */
function isNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isNothing);
  return value === null || value === undefined;
}

/** Moments as milliseconds since 1970. */
function stored(column: string, value: unknown): unknown {
  return kindOf(column) === 'timestamp' && typeof value === 'string'
    ? Date.parse(`${value.replace(' ', 'T')}Z`)
    : value;
}

/** Elasticsearch writes some numbers as text, shares with a percent sign, and -1 where it can't tell. */
function plain(said: unknown): unknown {
  if (said === undefined || said === '') return null;
  const text = typeof said === 'string' ? /^(-?\d+(?:\.\d+)?)%?$/.exec(said)?.[1] : undefined;
  const number = text === undefined ? said : Number(text);
  return typeof number === 'number' && number < 0 ? null : number;
}

/** Whatever order the keys come in. */
const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? JSON.stringify(Object.entries(value).toSorted())
    : JSON.stringify(value ?? null);
