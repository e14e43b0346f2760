import type { FindIn } from './json-values.js';
import { readJson, type JsonNode } from './json.js';
import { finding, marker, moved, type Finding } from './replacements.js';
import { unescapedString, unescapedTexts } from './unescaped-text.js';

/** The rules that find something in a text: in its JSON, and in the text around that. */
export interface Rules {
  inText(text: string, isCut: boolean): readonly Finding[];
  inJson(source: string, root: JsonNode, findIn: FindIn): readonly Finding[];
  /** Whether JSON that a text assigns to such a name is a finding as a whole. */
  takesWhole(name: string): boolean;
  /** Whether a text is read without its escapes as well. */
  readsUnescaped(text: string): boolean;
}

/** The depth to which JSON in strings of JSON, and repeatedly escaped texts, are read. */
const depthAtMost = 7;
/** Texts without escapes are read until all of them together are this many times as long as the whole. */
const unescapedTimes = 24;

const beginsJson =
  /^\s*(?:\{\s*(?:["}[\\]|$)|\[\s*(?:["{[\]]|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*[,\]]|(?:true|false|null)\b))/;
/** A complete string of JSON. */
const wholeString = /^\s*"(?:[^"\\]|\\[^]){0,100000}"\s*$/;
const firstMark = /(?<!\\)\\*(?:"|\\u0022|\\x22)/;
/** An object within other text: a key and its colon follow. */
const embedded = /\{\s{0,40}"(?:[^"\\\n]|\\.){0,200}"\s{0,8}:|\{\s{0,40}\}|\[\s{0,40}\{\s{0,40}"/g;
const assignsNext = /(?:^|[^\w.-])([\w.-]{2,80})["'\])]{0,3}\s{0,4}(?:=>|:=|[=:])\s{0,4}$/;

/** The findings of the rules in a text of JSON and other text alternately. `isCut`: its end is missing. */
export const findIn = (text: string, isCut: boolean, rules: Rules): readonly Finding[] =>
  new Reading(rules, unescapedTimes * text.length).findIn(text, isCut, 0);

class Reading {
  constructor(
    private readonly rules: Rules,
    private charactersLeft: number,
  ) {}

  findIn(text: string, isCut: boolean, depth: number): readonly Finding[] {
    if (text.length < 4 || depth > depthAtMost) return [];
    const found: Finding[] = [];
    const isWhollyEscaped = isEscaped(text);
    for (let at = 0; at < text.length;) {
      const start = at === 0 && isJson(text) ? text.search(/\S/) : isWhollyEscaped ? -1 : nextJson(text, at);
      const node = start === -1 ? null : readJson(text, start);
      const isText = node === null || isSubscript(text, node);
      const before = text.slice(at, isText ? text.length : start);
      if (before.length > 3 && before.trim() !== '')
        for (const one of this.inPlainText(before, isCut && isText, depth)) found.push(moved(one, at));
      if (isText) break;
      const name = assignsNext.exec(before.slice(-120))?.[1];
      if (name !== undefined && this.rules.takesWhole(name)) found.push(wholeOf(node));
      else found.push(...this.rules.inJson(text, node, (inner, cut) => this.findIn(inner, cut, depth + 1)));
      at = Math.max(node.end, start + 1);
    }
    return found;
  }

  /** Searches other text, as it is and without its escapes. */
  private inPlainText(text: string, isCut: boolean, depth: number): readonly Finding[] {
    const isWhollyEscaped = isEscaped(text);
    const found = isWhollyEscaped ? [] : [...this.rules.inText(text, isCut)];
    if (depth === depthAtMost || !(isWhollyEscaped || this.rules.readsUnescaped(text))) return found;
    const assigned = new Set(found.filter(({ rule }) => rule === 'assignment').map(({ start }) => start));
    for (const unescaped of isWhollyEscaped ? [unescapedString(text)] : unescapedTexts(text)) {
      this.charactersLeft -= unescaped.text.length;
      if (this.charactersLeft < 0) break;
      for (const one of this.findIn(unescaped.text, isCut, depth + 1).map(unescaped.inSource))
        if (one.rule !== 'assignment' || !assigned.has(one.start)) found.push(one);
    }
    return found;
  }
}

/** JSON that was escaped once more, as the strings of a log are: its first quotation mark is escaped. */
function isEscaped(text: string): boolean {
  if (!/^\s*[{["\\]/.test(text)) return false;
  const mark = firstMark.exec(text)?.[0] ?? '"';
  return mark !== '"' && /^\s*(?:[{[]|\\+["ux])/.test(text);
}

const isJson = (text: string): boolean =>
  (beginsJson.test(text) && !isEscaped(text)) || (/^\s*"/.test(text) && wholeString.test(text));

function nextJson(text: string, from: number): number {
  embedded.lastIndex = from;
  return embedded.exec(text)?.index ?? -1;
}

/** `["name"] = …` is no JSON. */
const isSubscript = (text: string, { kind, end }: JsonNode): boolean =>
  kind === 'array' && /^\s{0,4}[=:]/.test(text.slice(end, end + 6));

const wholeOf = ({ start, end }: JsonNode): Finding => ({
  ...finding('assignment', start, end),
  replacement: `"${marker}"`,
});
