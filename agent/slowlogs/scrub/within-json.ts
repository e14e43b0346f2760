import { besideJson } from './beside-json.js';
import { JsonCheck } from './json-check.js';
import { backslashesAt, quotedMarker, unescaped } from './json-strings.js';
import type { Token, Tokens } from './json-tokens.js';
import { inOrder, merged, replaced } from './replacements.js';
import { marker, spanOf, type FoundSpan } from './span.js';
import type { Units } from './units.js';

/**
 * Replacements of a text that is JSON, such that it stays JSON, and so does JSON in its strings, as deep as that may be.
 * No value goes on behind the string that it begins in; of one that begins between strings, each string and each value
 * is replaced by itself. A text that is no JSON gives the replacements as they are. They are in order; those of the
 * result do not overlap.
 */
export function withinJson(units: Units, tokens: Tokens, spans: readonly FoundSpan[]): readonly FoundSpan[] {
  if (tokens.length === 0) return merged(spans);
  const reader = new Reader(units, spans);
  for (let at = 0; at < tokens.length; at += 1)
    if (reader.mayConcern(tokens.endOf(at))) reader.read(tokens.at(at));
  const beside = besideJson(units.text, tokens, spans);
  return beside.length === 0 ? reader.sound : merged(inOrder([...reader.sound, ...beside]));
}

class Reader {
  readonly sound: FoundSpan[] = [];
  /** Spans from here on may touch a token to come. */
  #next = 0;
  /** Those that began before the last token and not in a string: they may reach over several. */
  #reaching: FoundSpan[] = [];
  /** Which of them are values: each is parsed once. */
  readonly #values = new Map<FoundSpan, boolean>();
  readonly #source: string;
  readonly #check: JsonCheck;

  constructor(
    units: Units,
    private readonly spans: readonly FoundSpan[],
  ) {
    this.#source = units.text;
    this.#check = new JsonCheck(units);
  }

  /** Most tokens end before the next span begins. */
  mayConcern(tokenEnd: number): boolean {
    return this.#reaching.length > 0 || (this.spans[this.#next]?.start ?? Infinity) < tokenEnd;
  }

  read(token: Token): void {
    const inside = this.#beginningIn(token);
    if (token.start < (this.sound.at(-1)?.end ?? 0)) return; // gone with what it stood in
    const value = this.#reaching.find((span) => this.#isValue(span));
    if (value !== undefined) this.sound.push(value);
    else if (this.#reaching.length + inside.length === 0) return;
    else if (token.isString) this.sound.push(...this.#inString(token, [...this.#reaching, ...inside]));
    else this.#replaceLiteral(token);
  }

  /** Spans that begin in a string; those that reach into the token are kept by the way. */
  #beginningIn(token: Token): readonly FoundSpan[] {
    const { spans } = this;
    const inside: FoundSpan[] = [];
    for (
      let span = spans[this.#next];
      span !== undefined && span.start < token.end;
      span = spans[this.#next]
    ) {
      if (token.isString && span.start >= token.start) inside.push(span);
      else this.#reaching.push(span);
      this.#next += 1;
    }
    this.#reaching = this.#reaching.filter(({ end }) => end > token.start);
    return inside;
  }

  /** A value that is replaced with its brackets: what stands in it goes with it. It is asked for every token within. */
  #isValue(span: FoundSpan): boolean {
    const { start, end, replacement = marker } = span;
    if (replacement === marker) return false;
    if (end === this.#source.length) return true;
    let isValue = this.#values.get(span);
    if (isValue === undefined) {
      isValue = this.#check.isValue(start, end, depthOfQuoted(replacement));
      this.#values.set(span, isValue);
    }
    return isValue;
  }

  #replaceLiteral({ start, end, depth }: Token): void {
    if (this.#source.slice(start, end) === 'null') return;
    this.sound.push({ start, end, replacement: quotedMarker(backslashesAt(depth)) });
  }

  /** A replacement may go through an escape: then the string would be none any more, and is replaced whole. */
  #inString({ start, end, depth }: Token, spans: readonly FoundSpan[]): readonly FoundSpan[] {
    const clipped = spans.map((span) =>
      span.start >= start && span.end <= end
        ? span
        : spanOf(Math.max(span.start, start), Math.min(span.end, end)),
    );
    const sound = merged(inOrder(clipped));
    const { text } = replaced(this.#source.slice(start, end), sound, start);
    return unescaped(text, depth + 1) === null ? [spanOf(start, end)] : sound;
  }
}

const depthOfQuoted = (replacement: string): number => Math.ceil(Math.log2(replacement.indexOf('"') + 1));
