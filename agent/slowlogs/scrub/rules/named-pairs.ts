import { credentialName } from '../credential-keys.js';
import type { FoundSpan, Rule } from '../view.js';
import { valueAt } from './json-values.js';

const name = String.raw`(?:name|key|field|fields|default_field|header|param|parameter|property|label)`;
const value = String.raw`(?:value|values|val|query|secret_value|content|default|data)`;
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

function nameFirst(source: string): FoundSpan[] {
  const pair = new RegExp(String.raw`${named}${gap},${gap}(\\*)"${value}\\*"${gap}:${gap}`, 'g');
  return [...source.matchAll(pair)].flatMap((match) => {
    const [whole, , names = '', escape = ''] = match;
    const span = isCredential(names) ? valueAt(source, match.index + whole.length, escape) : null;
    return span === null ? [] : [span];
  });
}

function valueFirst(source: string): FoundSpan[] {
  const spans: FoundSpan[] = [];
  const start = new RegExp(String.raw`(?<!\\)(\\*)"${value}\\*"${gap}:${gap}`, 'g');
  const then = new RegExp(String.raw`\\*"?${gap},${gap}\\*${named}`, 'y');
  for (const match of source.matchAll(start)) {
    const from = match.index + match[0].length;
    if (from < (spans.at(-1)?.end ?? 0) || !/["\\]/.test(source[from] ?? '')) continue;
    const span = valueAt(source, from, match[1] ?? '');
    if (span === null) continue;
    then.lastIndex = span.end;
    if (isCredential(then.exec(source)?.[2] ?? '')) spans.push(span);
  }
  return spans;
}

/** Whether any of the quoted names is a credential's; a boost (`^2.0`) or a wildcard may follow it. */
function isCredential(names: string): boolean {
  return [...names.matchAll(/"([^"\\^*]{1,160})/g)].some(
    ({ 1: text = '' }) => credentialName(text) === 'strong',
  );
}
