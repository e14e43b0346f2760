import { quoted } from '../../shared/sql-text.js';

/**
 * Separates a query from its values as the API does, so that an analyst groups queries as the page does. A
 * test compares it with the edge's code.
 */
const scalar = String.raw`(?:"(?:[^"\\]|\\.)*(?:"|$)|-?\d[\d.eE+-]*|true|false|null|\?)`;
const named = String.raw`"(field|default_field|path)"\s*:\s*("[\w.@*^-]{1,120}")`;
const kept = String.raw`"\1"=\2`;
const values = String.raw`\[\s*${scalar}(?:\s*,\s*${scalar})*\s*\]`;
const value = String.raw`:\s*${scalar}`;

/** A query without the values it searches for. */
export const shapeSql = `replaceAll(
    replaceRegexpAll(
      replaceRegexpAll(replaceRegexpAll(query, ${quoted(named)}, ${quoted(kept)}), ${quoted(values)}, '[?]'),
      ${quoted(value)}, ':?'),
    '"=', '":')`;

export const fingerprintSql = `lower(hex(sipHash64(kind, phase, ifNull(${shapeSql}, \`index\`))))`;
