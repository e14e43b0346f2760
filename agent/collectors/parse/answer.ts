import { lastInstant, longestText, shardNumber } from '../../../schemas/snapshots/fields.js';

/**
 * Reads answers of clusters of any version. Nothing here throws, and nothing absent becomes a zero: a missing value, or
 * one of another kind, is null (or an empty list, for a list).
 */

type Fields = Readonly<Record<string, unknown>>;

const nothing: Fields = {};

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : nothing;
}

/** The value at a path of keys. */
export function valueAt(from: unknown, ...path: readonly string[]): unknown {
  let value: unknown = from;
  for (const key of path) {
    if (!isFields(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/**
 * The entries of an object of objects, such as `nodes` or `indices`. Names are cut like any text; entries
 * without a name are omitted.
 */
export function entriesAt(from: unknown, ...path: readonly string[]): readonly (readonly [string, Fields])[] {
  return Object.entries(fieldsOf(valueAt(from, ...path))).flatMap(([key, value]) =>
    isFields(value) && key !== '' ? [[cut(key, longestText), value] as const] : [],
  );
}

export function listAt(from: unknown, ...path: readonly string[]): readonly unknown[] {
  const value = valueAt(from, ...path);
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/**
 * A number, or a text that is one (`_cat` and cgroups write numbers as text). Null for negative ones, which
 * mean "none" in Elasticsearch.
 */
export function amountAt(from: unknown, ...path: readonly string[]): number | null {
  return amountOf(valueAt(from, ...path));
}

/** The number of a shard. */
export function shardNumberAt(from: unknown, ...path: readonly string[]): number | null {
  return shardNumber.safeParse(amountAt(from, ...path)).data ?? null;
}

export function amountOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : null;
  if (typeof value !== 'string' || !/^\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value)) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** A percentage of 0..100, also from a text such as `71.4%`. */
export function percentAt(from: unknown, ...path: readonly string[]): number | null {
  const value = valueAt(from, ...path);
  const percent = amountOf(typeof value === 'string' ? value.replace(/%$/, '') : value);
  return percent === null || percent > 100 ? null : percent;
}

export function textAt(from: unknown, ...path: readonly string[]): string | null {
  return textOf(valueAt(from, ...path));
}

/** A text that is not empty, cut to `longest` characters. */
export function textOf(value: unknown, longest = longestText): string | null {
  return typeof value === 'string' && value !== '' ? cut(value, longest) : null;
}

/** Never cuts through a surrogate pair. */
export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(longest - 1)) ? longest - 1 : longest;
  return text.slice(0, end);
}

export function flagAt(from: unknown, ...path: readonly string[]): boolean | null {
  const value = valueAt(from, ...path);
  if (typeof value === 'boolean') return value;
  return value === 'true' ? true : value === 'false' ? false : null;
}

/** Milliseconds since the epoch, from a number or an ISO 8601 text. */
export function instantAt(from: unknown, ...path: readonly string[]): number | null {
  const value = valueAt(from, ...path);
  const at = typeof value === 'string' ? Date.parse(value) : value;
  return typeof at === 'number' && Number.isInteger(at) && at >= 0 && at <= lastInstant ? at : null;
}

export function namesAt(from: unknown, ...path: readonly string[]): string[] {
  return listAt(from, ...path)
    .flatMap((value) => (typeof value === 'string' ? [cut(value, 1_024)] : []))
    .slice(0, 200)
    .sort();
}

/** The major version of a text such as `8.14.1`. */
export function majorOf(version: string | null): number | null {
  const major = /^(\d+)\./.exec(version ?? '')?.[1];
  return major === undefined ? null : Number(major);
}

/** Whether a version such as `8.14.1` has this major and minor or a later one; false if it can't be read. */
export function isFrom(version: string, [major, minor]: readonly [number, number]): boolean {
  const read = /^(\d+)\.(\d+)/.exec(version);
  if (read === null) return false;
  return Number(read[1]) > major || (Number(read[1]) === major && Number(read[2]) >= minor);
}
