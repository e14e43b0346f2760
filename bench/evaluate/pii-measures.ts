import { codePointOffsets } from '../../processors/score-metrics/metrics/pii/code-points.js';
import type { PiiEntity, PiiSpan } from '../../processors/score-metrics/metrics/pii/entities.js';
import { cleanMode, recognizePii } from '../../processors/score-metrics/metrics/pii/recognize.js';
import { labelledRows } from './labelled-data.js';

export interface SpanCounts {
  right: number;
  wrong: number;
  missed: number;
}

export interface Share {
  readonly right: number;
  readonly of: number;
  /** One line for each row that is wrong, for people to read. */
  readonly rest: readonly string[];
}

interface Labelled {
  readonly text: string;
  readonly spans: readonly { readonly entity: string; readonly start: number; readonly end: number }[];
}

interface UnitCase {
  readonly text: string;
  readonly entity: string;
  readonly expected_count: number | null;
  readonly expected: readonly { readonly start: number; readonly end: number }[] | null;
  readonly default_config: boolean;
}

/** The structured types of the reference figures; the set calls a web address a domain name. */
const structured = new Map<string, PiiEntity>([
  ['CREDIT_CARD', 'CREDIT_CARD'],
  ['EMAIL_ADDRESS', 'EMAIL_ADDRESS'],
  ['IBAN_CODE', 'IBAN_CODE'],
  ['IP_ADDRESS', 'IP_ADDRESS'],
  ['PHONE_NUMBER', 'PHONE_NUMBER'],
  ['US_SSN', 'US_SSN'],
  ['DOMAIN_NAME', 'URL'],
  ['URL', 'URL'],
  ['US_DRIVER_LICENSE', 'US_DRIVER_LICENSE'],
]);
const structuredTypes = new Set(structured.values());

interface Span {
  readonly type: PiiEntity;
  readonly start: number;
  readonly end: number;
}

/** The default configuration's spans, in code points. */
export function spansOf(text: string, options = cleanMode): Span[] {
  return inCodePoints(text, recognizePii(text, options));
}

function inCodePoints(text: string, spans: readonly PiiSpan[]): Span[] {
  const offset = codePointOffsets(text);
  return spans.map(({ type, start, end }) => ({ type, start: offset(start), end: offset(end) }));
}

/**
 * Counts by type. A span is right if it shares a character with a labelled one of its type that no earlier
 * span has taken. Null if the set is not here.
 */
export function structuredSpans(): Map<PiiEntity, SpanCounts> | null {
  const rows = labelledRows('pii_presidio_research') as readonly Labelled[] | null;
  if (rows === null) return null;
  const counts = new Map<PiiEntity, SpanCounts>();
  for (const row of rows) countRow(row, counts);
  return counts;
}

function countRow({ text, spans }: Labelled, counts: Map<PiiEntity, SpanCounts>): void {
  const missing = spans.flatMap(({ entity, start, end }) => {
    const type = structured.get(entity);
    return type === undefined ? [] : [{ type, start, end }];
  });
  for (const found of spansOf(text).filter(({ type }) => structuredTypes.has(type))) {
    const at = missing.findIndex((label) => label.type === found.type && overlap(label, found));
    if (at !== -1) missing.splice(at, 1);
    of(counts, found.type)[at === -1 ? 'wrong' : 'right']++;
  }
  for (const { type } of missing) of(counts, type).missed++;
}

const overlap = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

function of(counts: Map<PiiEntity, SpanCounts>, type: PiiEntity): SpanCounts {
  const known = counts.get(type) ?? { right: 0, wrong: 0, missed: 0 };
  counts.set(type, known);
  return known;
}

export function sumOf(counts: Iterable<SpanCounts>): SpanCounts {
  const sum = { right: 0, wrong: 0, missed: 0 };
  for (const { right, wrong, missed } of counts) {
    sum.right += right;
    sum.wrong += wrong;
    sum.missed += missed;
  }
  return sum;
}

export function f1Of({ right, wrong, missed }: SpanCounts): number {
  return (2 * right) / (2 * right + wrong + missed);
}

/**
 * The unit cases of our entities in their default configuration. A case is right if the number of spans of
 * the entity is the expected one and every span has the expected ends. `threshold` 0 tests each recognizer,
 * as those cases do; 0.35 with overlaps resolved tests the API's answer.
 */
export function unitCases(entities: ReadonlySet<string>, threshold: number): Share | null {
  const rows = labelledRows('pii_presidio_recognizers') as readonly UnitCase[] | null;
  if (rows === null) return null;
  const cases = rows.filter((row) => row.default_config && entities.has(row.entity));
  const rest: string[] = [];
  for (const row of cases) {
    const options = { threshold, resolveOverlaps: true, ...only(row.entity, threshold) };
    const found = spansOf(row.text, options).filter(({ type }) => type === row.entity);
    const places = (spans: readonly { start: number; end: number }[]): string =>
      spans.map(({ start, end }) => `${start}-${end}`).join(' ');
    const expected = row.expected ?? [];
    const count = row.expected_count ?? expected.length;
    const right = found.length === count && (expected.length !== count || places(found) === places(expected));
    if (!right)
      rest.push(`${row.entity} ${JSON.stringify(row.text)} found ${places(found)} not ${places(expected)}`);
  }
  return { right: cases.length - rest.length, of: cases.length, rest };
}

/** A recognizer alone, for which every score counts. */
function only(entity: string, threshold: number): { entities?: ReadonlySet<PiiEntity> } {
  return threshold === 0 ? { entities: new Set([entity as PiiEntity]) } : {};
}

/** The share of the general texts without a finding. By assumption they contain no personal data. */
export function generalTexts(): Share | null {
  const general = labelledRows('halu_general_human') as readonly { prompt: string }[] | null;
  const safe = labelledRows('xstest_prompts') as readonly { text: string }[] | null;
  if (general === null || safe === null) return null;
  const texts = [...general.map(({ prompt }) => prompt), ...safe.map(({ text }) => text)];
  const rest = texts.flatMap((text) =>
    spansOf(text).map(({ type, start, end }) => `${type} ${Array.from(text).slice(start, end).join('')}`),
  );
  const flagged = texts.filter((text) => spansOf(text).length > 0).length;
  return { right: texts.length - flagged, of: texts.length, rest };
}
