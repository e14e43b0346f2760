import assert from 'node:assert/strict';
import { kindOf } from '../../schemas/cluster-rows/kinds.js';
import type { ClusterAnswers } from './cluster-answers.js';

export type StoredRow = Readonly<Record<string, unknown>>;

/** Where a cluster's own answers have what a column holds; undefined where its version has no such thing. */
export type Counterpart = (answers: ClusterAnswers) => unknown;

/** Every column of a table is in one of the three; in none, or in two, and the comparison fails. */
export interface ColumnRules {
  /** Stands still on a quiet cluster, or only grows: what is stored lies between the answers before and after. */
  readonly same: Readonly<Record<string, Counterpart>>;
  /** Goes up and down by itself: it is only stored where the cluster has it. */
  readonly unsteady: Readonly<Record<string, Counterpart>>;
  /** With the reason why no answer of the cluster has it. */
  readonly without: Readonly<Record<string, string>>;
}

/** Holds a row to what the cluster said before it was collected and says after. */
export function sameColumns(
  table: string,
  columns: readonly string[],
  rules: ColumnRules,
  row: StoredRow,
  [before, after]: readonly [ClusterAnswers, ClusterAnswers],
): void {
  const ruled = [rules.same, rules.unsteady, rules.without].flatMap((rule) => Object.keys(rule));
  assert.deepEqual(ruled.toSorted(), [...columns].sort(), `${table}: each column has one rule`);
  const wrong: string[] = [];
  for (const [column, counterpart] of Object.entries(rules.same)) {
    const [least, most] = [counterpart(before), counterpart(after)];
    if (!isBetween(stored(column, row[column]), plain(least), plain(most)))
      wrong.push(`${column} is ${shown(row[column])}, the cluster says ${shown(least)}, then ${shown(most)}`);
  }
  for (const [column, counterpart] of Object.entries(rules.unsteady)) {
    const said = counterpart(after);
    if ((plain(said) === null) !== (row[column] === null))
      wrong.push(`${column} is ${shown(row[column])}, the cluster says ${shown(said)}`);
  }
  assert.deepEqual(wrong, [], `${table} is not what the cluster says`);
}

function isBetween(value: unknown, least: unknown, most: unknown): boolean {
  if (typeof value === 'number' && typeof least === 'number' && typeof most === 'number')
    return value >= least && value <= most;
  if (Array.isArray(value) && Array.isArray(least) && Array.isArray(most) && value.length === least.length)
    return value.every((one, index) => isBetween(one, plain(least[index]), plain(most[index])));
  return isSame(value, least) && isSame(value, most);
}

function isSame(one: unknown, other: unknown): boolean {
  return shown(one) === shown(other);
}

/** Moments as milliseconds since 1970. */
function stored(column: string, value: unknown): unknown {
  return kindOf(column) === 'moment' && typeof value === 'string'
    ? Date.parse(`${value.replace(' ', 'T')}Z`)
    : value;
}

/** Elasticsearch writes some numbers as text, and -1 where it can't tell. */
function plain(said: unknown): unknown {
  if (said === undefined || said === '') return null;
  const number = typeof said === 'string' && /^-?\d+(\.\d+)?$/.test(said) ? Number(said) : said;
  return typeof number === 'number' && number < 0 ? null : number;
}

/** Whatever order the keys come in. */
const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? JSON.stringify(Object.entries(value).toSorted())
    : JSON.stringify(value ?? null);
