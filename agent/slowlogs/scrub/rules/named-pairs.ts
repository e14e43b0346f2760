import { credentialName } from '../credential-keys.js';
import type { FoundSpan } from '../span.js';
import type { Rule } from '../view.js';
import { valueAt } from './json-values.js';

const name = String.raw`(?:name|key|k|field|fields|default_field|header|param|parameter|property|label)`;
const value = String.raw`(?:value|values|val|v|query|secret_value|content|default|data|missing|include|exclude|like|unlike|text|prefix|regex)`;
const gap = String.raw`(?:\s|\\{1,7}[nrt]){0,20}`;

/**
 * JSON that puts a name and its value into two fields beside each other: `{"name":"password","value":…}`, and searches
 * that name their fields, `{"query":…,"fields":["password^1.0"]}`. Either may come first.
 */
export const namedPairs: Rule = {
  name: 'named-pairs',
  find({ source }) {
    return [...nameFirst(source), ...valueFirst(source)];
  },
};

const named = String.raw`"${name}(\\*)"${gap}:${gap}\[?(\\{0,7}"[^"\\]{1,160}\\{0,7}"(?:${gap},${gap}\\{0,7}"[^"\\]{1,160}\\{0,7}"){0,20})\]?`;

/** Short members that may stand between the two: Elasticsearch writes an aggregation's `include` behind its order. */
const others = String.raw`(?:${gap},${gap}\\{0,7}"\w{1,60}\\{0,7}"${gap}:${gap}(?:[\d.eE+-]{1,24}|true|false|null|\\{0,7}"[^"\\]{0,160}\\{0,7}"|\[[^\][]{0,300}\])){0,8}?`;

const further = String.raw`${gap},${gap}(\\*)"${value}\\*"${gap}:${gap}`;

const begins = new RegExp(String.raw`"${name}\\*"${gap}:${gap}(\[?)\\{0,7}("[^"\\]{1,160})`, 'g');
const pair = new RegExp(String.raw`${named}${others}${further}`, 'y');
const next = new RegExp(further, 'y');
const mark = /\\*"/y;
const valueStart = new RegExp(String.raw`"${value}\\*"${gap}:${gap}(?=\\{0,7}["\\])`, 'g');
/** Suggesters name their field one level below their text, or two. */
const below = String.raw`(?:\\{0,7}"\w{1,60}\\{0,7}"${gap}:${gap}\{${gap}){0,2}`;
const thenNamed = new RegExp(String.raw`\\*"?${gap},${gap}${below}\\*${named}`, 'y');

function nameFirst(source: string): FoundSpan[] {
  const spans: FoundSpan[] = [];
  begins.lastIndex = 0;
  for (let found = begins.exec(source); found !== null; found = begins.exec(source)) {
    const { index, 1: bracket, 2: first = '' } = found;
    if (bracket === '' && !isCredential(first)) continue; // most are none: the search for a pair takes longer
    pair.lastIndex = index;
    const [whole, , names = '', escape = ''] = pair.exec(source) ?? [];
    if (whole === undefined || !isCredential(names)) continue;
    let span = valueAt(source, index + whole.length, escape);
    while (span !== null) {
      spans.push(span);
      begins.lastIndex = Math.max(begins.lastIndex, span.end);
      next.lastIndex = behindMark(source, span.end);
      const more = next.exec(source);
      span = more === null ? null : valueAt(source, next.lastIndex, more[1] ?? '');
    }
  }
  return spans;
}

/** Where a value ends, its closing quotation mark included. */
function behindMark(source: string, end: number): number {
  mark.lastIndex = end;
  return mark.test(source) ? mark.lastIndex : end;
}

function valueFirst(source: string): FoundSpan[] {
  const spans: FoundSpan[] = [];
  valueStart.lastIndex = 0;
  for (let pair = valueStart.exec(source); pair !== null; pair = valueStart.exec(source)) {
    const from = pair.index + pair[0].length;
    if (from < (spans.at(-1)?.end ?? 0)) continue;
    const span = valueAt(source, from, backslashesBefore(source, pair.index));
    if (span === null) continue;
    thenNamed.lastIndex = span.end;
    if (isCredential(thenNamed.exec(source)?.[2] ?? '')) spans.push(span);
  }
  return spans;
}

function backslashesBefore(source: string, at: number): string {
  let from = at;
  while (source[from - 1] === '\\') from -= 1;
  return source.slice(from, at);
}

const quotedName = /"([^"\\^*]{1,160})/g;

/** Whether any of the quoted names is a credential's; a boost (`^2.0`) or a wildcard may follow it. */
function isCredential(names: string): boolean {
  quotedName.lastIndex = 0;
  for (let match = quotedName.exec(names); match !== null; match = quotedName.exec(names))
    if (credentialName(match[1] ?? '') === 'strong') return true;
  return false;
}
