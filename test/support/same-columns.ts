import assert from 'node:assert/strict';
import { kindOf } from '../../schemas/cluster-rows/kinds.js';
import type { ClusterAnswers } from './cluster-answers.js';

export type StoredRow = Readonly<Record<string, unknown>>;

/** Finds a column's value in a cluster's own answers; undefined if its version has no such value. */
export type Counterpart = (answers: ClusterAnswers) => unknown;

type Counterparts = Readonly<Record<string, Counterpart>>;

/** Checks a row without its cluster: true if its values are plausible. */
export type Bound = (row: StoredRow) => boolean;

/** The reason why a column is null on one version, and the field of `unavailable` that must name it. */
export interface Absence {
  readonly field: string;
  readonly reason: RegExp;
}

/** Every column of a table must be in exactly one of the first four, or the comparison fails. */
export interface ColumnRules {
  /** Constant or only growing on a quiet cluster: the value is between the answers before and after. */
  readonly same: Counterparts;
  /** Groups that change at once: the whole group equals the cluster's answer in one of the readings. */
  readonly moved?: Readonly<Record<string, Counterparts>>;
  /** Changing between any two answers: the value stays within its bounds. */
  readonly within?: Readonly<Record<string, Bound>>;
  /** Columns that no answer of the cluster has, with the reason. */
  readonly without: Readonly<Record<string, string>>;
  /** The conditions that the columns of a row must meet together. */
  readonly consistent?: Readonly<Record<string, Bound>>;
  /** Columns that a version does not report, or reports wrongly; null on that version and on no other. */
  readonly absent?: (major: number) => Readonly<Record<string, Absence>>;
  /** Columns that are null if the cluster has no value either, with the reason. All other nulls are wrong. */
  readonly optional?: Readonly<Record<string, string>>;
}

/** What a row is compared with: its cluster's answers from before its collection until after, in order. */
interface Expectation {
  readonly major: number;
  readonly readings: readonly ClusterAnswers[];
  /** The field `unavailable` of the row's snapshot. */
  readonly unavailable: Readonly<Record<string, string>>;
}

/** Checks a row against the cluster's answers before its collection, during it, and after. */
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

/**
 * A node measures a group at once and caches it for a second, so one answer has all of the group's values.
 */
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

/**
 * Whether the value is between the lowest and the highest reported number, or equals a reported non-number.
 */
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

/** Null, or a list or map whose values are all null. */
function isNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isNothing);
  return value === null || value === undefined;
}

/** Converts timestamps to milliseconds since 1970. */
function stored(column: string, value: unknown): unknown {
  return kindOf(column) === 'timestamp' && typeof value === 'string'
    ? Date.parse(`${value.replace(' ', 'T')}Z`)
    : value;
}

/** Elasticsearch writes some numbers as text, shares with a percent sign, and -1 for unknown. */
function plain(said: unknown): unknown {
  if (said === undefined || said === '') return null;
  const text = typeof said === 'string' ? /^(-?\d+(?:\.\d+)?)%?$/.exec(said)?.[1] : undefined;
  const number = text === undefined ? said : Number(text);
  return typeof number === 'number' && number < 0 ? null : number;
}

/** As text, independent of the order of keys. */
const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? JSON.stringify(Object.entries(value).toSorted())
    : JSON.stringify(value ?? null);
