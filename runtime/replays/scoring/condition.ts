import { TelltaleError } from '../../errors.js';

/** `prompt_toxicity >= 0.8`: a column of telltale.scoring_results, an operator, and a value. */
export interface Condition {
  readonly column: string;
  readonly operator: (typeof operators)[number];
  /** Null for `is null` and `is not null`. */
  readonly value: string | null;
}

const operators = ['is not null', 'is null', '>=', '<=', '!=', '=', '>', '<', 'has'] as const;
/**
 * Without surrounding spaces. No two of its repetitions can match the same characters, so a long text takes linear
 * time.
 */
const form = new RegExp(`^(\\w+)\\s*(${operators.join('|').replaceAll(' ', '\\s+')})(.*)$`, 'is');
/** Characters. */
const longest = 1_000;
const numeric = /^(U?Int|Float|Decimal|Bool)/;

/** Throws REPLAY_INVALID. A value may be in single quotes. */
export function readCondition(text: string): Condition {
  if (text.length > longest) throw invalid(`${text.slice(0, 40)}…`, `it has more than ${longest} characters`);
  const [, column, sign, value = ''] = form.exec(text.trim()) ?? [];
  const rest = value.trim();
  const operator = operators.find((one) => one === sign?.toLowerCase().replaceAll(/\s+/g, ' '));
  const isTest = operator?.startsWith('is ') ?? false;
  if (column === undefined || operator === undefined || isTest !== (rest === ''))
    throw invalid(text, `it is not of the form \`column operator value\` (${operators.join(', ')})`);
  const quoted = /^'(.*)'$/s.exec(rest)?.[1];
  return { column, operator, value: isTest ? null : (quoted ?? rest) };
}

/**
 * The conditions in SQL, with parameters named `where_0` and so on. `types` are those of the columns. Throws
 * REPLAY_INVALID for a column that does not exist, or that can't be compared in this way.
 */
export function sqlOf(
  conditions: readonly string[],
  types: ReadonlyMap<string, string>,
): { readonly sql: string; readonly parameters: Readonly<Record<string, string | number>> } {
  const parameters: Record<string, string | number> = {};
  const parts = conditions.map((text, index) => {
    const { column, operator, value } = readCondition(text);
    const type = types.get(column);
    if (type === undefined) throw invalid(text, `telltale.scoring_results has no column \`${column}\``);
    if (value === null) return `${column} ${operator.toUpperCase()}`;
    const name = `where_${index}`;
    const bare = bareType(type);
    if (bare.startsWith('Array(') !== (operator === 'has') || bare.startsWith('Map('))
      throw invalid(text, `\`${column}\` is ${bare}: use \`has\` for lists, and only for lists`);
    if (numeric.test(bare)) {
      const number = Number(value);
      if (value === '' || Number.isNaN(number)) throw invalid(text, `\`${value}\` is not a number`);
      parameters[name] = number;
      return `${column} ${operator} {${name}:Float64}`;
    }
    parameters[name] = value;
    if (operator === 'has') return `has(${column}, {${name}:String})`;
    if (bare.startsWith('DateTime'))
      return `${column} ${operator} parseDateTime64BestEffort({${name}:String}, 6, 'UTC')`;
    return `toString(${column}) ${operator} {${name}:String}`;
  });
  return { sql: parts.map((part) => `AND ${part}`).join('\n'), parameters };
}

function bareType(type: string): string {
  const inner = /^(?:Nullable|LowCardinality)\((.*)\)$/s.exec(type)?.[1];
  return inner === undefined ? type : bareType(inner);
}

const invalid = (text: string, reason: string): TelltaleError =>
  new TelltaleError('REPLAY_INVALID', { reason: `\`where\` \`${text}\`: ${reason}` });
