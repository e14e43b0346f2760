import type { SlowFilter } from '../slow-filter.js';

/** One scalar value of JSON. The last value of a truncated text can lack its end. */
const scalar = String.raw`(?:"(?:[^"\\]|\\.)*(?:"|$)|-?\d[\d.eE+-]*|true|false|null|\?)`;

/** Parameters of `shape`. Patterns are parameters so that their backslashes need no escaping in SQL. */
export const shapePatterns = {
  /**
   * The values of these members are field names, not search values. They are kept, behind a temporary `"=`.
   */
  named: String.raw`"(field|default_field|path)"\s*:\s*("[\w.@*^-]{1,120}")`,
  kept: String.raw`"\1"=\2`,
  values: String.raw`\[\s*${scalar}(?:\s*,\s*${scalar})*\s*\]`,
  value: String.raw`:\s*${scalar}`,
} as const;

/**
 * A query without its search values: queries that differ only in values, including lists of any length, have
 * the same shape. Null if there is no text.
 */
export const shape = `replaceAll(
    replaceRegexpAll(
      replaceRegexpAll(replaceRegexpAll(query, {named:String}, {kept:String}), {values:String}, '[?]'),
      {value:String}, ':?'),
    '"=', '":')`;

/** If there is no text, the index takes its place. */
export const fingerprint = `lower(hex(sipHash64(kind, phase, ifNull(${shape}, \`index\`))))`;

const conditions: Readonly<Record<keyof SlowFilter, string>> = {
  index: 'AND `index` = {index:String}',
  node: 'AND node_name = {node:String}',
  kind: 'AND kind = {kind:String}',
  min_took_ms: 'AND took_ms >= {min_took_ms:Float64}',
  shape: `AND ${fingerprint} = {shape:String}`,
};

/** Conditions that each begin with AND. */
export const slowConditionsOf = (filter: SlowFilter): string =>
  (Object.keys(filter) as (keyof SlowFilter)[]).map((name) => conditions[name]).join(' ');
