import { isLongerThan } from '../../schemas/text-length.js';
import type { CursorForm } from '../clusters/cursors.js';
import { invalid, valueOf } from '../clusters/query.js';
import type { AfterSpan, AfterTraceSpan, SpanFilter } from './trace-reader.js';

const longestName = 1_000;
const longestAttribute = 2_000;
const nsPerMs = 1_000_000;
/** A year: no span of a service lasts longer. */
const mostMs = 366 * 86_400_000;
const spanChoices: readonly string[] = ['roots', 'entries', 'all'];

export function spanFilterOf(query: URLSearchParams): SpanFilter {
  const spans = valueOf(query, 'spans') ?? 'roots';
  if (!spanChoices.includes(spans)) throw invalid('spans', '`spans` must be `roots`, `entries` or `all`.');
  const status = valueOf(query, 'status');
  if (status !== null && status !== 'error' && status !== 'ok')
    throw invalid('status', '`status` must be `error` or `ok`.');
  const application = textOf(query, 'application');
  const operation = textOf(query, 'operation');
  const shortest = nanosecondsOf(query, 'min_ms');
  const longest = nanosecondsOf(query, 'max_ms');
  if (shortest !== undefined && longest !== undefined && longest < shortest)
    throw invalid('max_ms', '`max_ms` must be at least `min_ms`.');
  return {
    spans,
    ...(application !== undefined && { application }),
    ...(operation !== undefined && { operation }),
    ...(status !== null && { status }),
    ...attributeOf(query),
    ...(shortest !== undefined && { shortest }),
    ...(longest !== undefined && { longest }),
  };
}

/** A name in the query; undefined if there is none. */
export function textOf(query: URLSearchParams, parameter: string): string | undefined {
  const text = valueOf(query, parameter);
  if (text === null) return undefined;
  if (text === '' || isLongerThan(text, longestName))
    throw invalid(parameter, `\`${parameter}\` must have 1 to ${longestName} characters.`);
  return text;
}

function attributeOf(query: URLSearchParams): Pick<SpanFilter, 'attributeKey' | 'attributeValue'> {
  const text = valueOf(query, 'attribute');
  if (text === null) return {};
  const sign = text.indexOf('=');
  const key = sign === -1 ? text : text.slice(0, sign);
  if (key === '' || isLongerThan(text, longestAttribute))
    throw invalid('attribute', '`attribute` must be `key=value`, or a key alone for any value.');
  return { attributeKey: key, ...(sign !== -1 && { attributeValue: text.slice(sign + 1) }) };
}

function nanosecondsOf(query: URLSearchParams, parameter: string): number | undefined {
  const text = valueOf(query, parameter);
  if (text === null) return undefined;
  const ms = /^\d{1,12}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (ms <= mostMs) return Math.round(ms * nsPerMs);
  throw invalid(parameter, `\`${parameter}\` must be a number of milliseconds, from 0 to ${mostMs}.`);
}

export const traceIdForm = /^[0-9a-f]{32}$/i;
export const spanIdForm = /^[0-9a-f]{16}$/i;

const isTimestamp = (text: string | undefined): text is string =>
  text !== undefined && BigInt(text) < 2n ** 63n;

export const afterSpan: CursorForm<AfterSpan> = {
  read(text) {
    const [, at, trace, span] = /^t-(\d{1,19})-([0-9a-f]{32})-([0-9a-f]{16})$/.exec(text) ?? [];
    return isTimestamp(at) && trace !== undefined && span !== undefined ? { at, trace, span } : undefined;
  },
  write: ({ at, trace, span }) => `t-${at}-${trace}-${span}`,
};

export const afterTraceSpan: CursorForm<AfterTraceSpan> = {
  read(text) {
    const [, first, at, span] = /^w-(\d{1,19})-(\d{1,19})-([0-9a-f]{16})$/.exec(text) ?? [];
    return isTimestamp(first) && isTimestamp(at) && span !== undefined ? { first, at, span } : undefined;
  },
  write: ({ first, at, span }) => `w-${first}-${at}-${span}`,
};
