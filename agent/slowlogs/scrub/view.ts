import { mayHoldQuery, unitAt, unitInQueryAt, type Unit } from './escapes.js';
import type { Fields } from './field-tables.js';
import { fieldsOf } from './json-fields.js';
import { firstEndingBehind, isCutOff, tokensOf, type Token } from './json-structure.js';
import type { FoundSpan, Span } from './span.js';

/**
 * A text as a reader sees it, with backslash and percent escapes resolved, however deep they are: `\"`, `\\\"` and
 * `%22` all read `"`. Rules look for secrets in it; what they find is replaced in the text as it was.
 */
export interface View {
  readonly source: string;
  readonly plain: string;
  /** Whether it is JSON without its end: its last word may be a part of one. */
  readonly cutOff: boolean;
  /** Strings and values, where the source is JSON. */
  tokens(): readonly Token[];
  /** What the source's JSON, wherever it stands, holds under which names. */
  fields(): Fields;
  /** Where the character at an index of `plain` begins in `source`; its length gives the end. */
  sourceIndex(plainIndex: number): number;
  /** Where in `plain` the string of JSON ends that holds an index of it, or ends there; the text's end where none does. */
  stringEnd(plainIndex: number): number;
  /** The same with what queries escape resolved too, null where that is nothing. Such a backslash may as well be one. */
  asQuery(): View | null;
}

/** Looks for one family of secrets. Pure, and linear in the length of the text. Spans are those of the source. */
export interface Rule {
  readonly name: string;
  find(view: View): readonly FoundSpan[];
}

export function viewOf(source: string): View {
  const structure = new Structure(source);
  return source.includes('\\') || source.includes('%')
    ? resolved(structure, unitAt)
    : new PlainView(structure, source, null);
}

function resolved(structure: Structure, read: (source: string, at: number) => Unit): View {
  const { source } = structure;
  const units = new Uint16Array(source.length);
  const starts = new Uint32Array(source.length + 1);
  let length = 0;
  for (let at = 0; at < source.length;) {
    const [unit, width] = read(source, at);
    units[length] = unit;
    starts[length] = at;
    length += 1;
    at += width;
  }
  starts[length] = source.length;
  const plain = Buffer.from(units.buffer, 0, length * 2).toString('utf16le');
  return new PlainView(structure, plain, starts.subarray(0, length + 1));
}

/** What a text is as JSON: its views share it. */
class Structure {
  readonly cutOff: boolean;
  #tokens: readonly Token[] | null = null;
  #fields: Fields | null = null;

  constructor(readonly source: string) {
    this.cutOff = isCutOff(source);
  }

  tokens(): readonly Token[] {
    return (this.#tokens ??= tokensOf(this.source));
  }

  fields(): Fields {
    return (this.#fields ??= fieldsOf(this.source));
  }
}

class PlainView implements View {
  readonly source: string;
  readonly cutOff: boolean;

  constructor(
    private readonly structure: Structure,
    readonly plain: string,
    /** Where each character of `plain` begins in `source`; null where both are one. */
    private readonly starts: Uint32Array | null,
  ) {
    this.source = structure.source;
    this.cutOff = structure.cutOff;
  }

  tokens(): readonly Token[] {
    return this.structure.tokens();
  }

  fields(): Fields {
    return this.structure.fields();
  }

  asQuery(): View | null {
    return mayHoldQuery(this.source) ? resolved(this.structure, unitInQueryAt) : null;
  }

  sourceIndex(plainIndex: number): number {
    return this.starts === null ? plainIndex : (this.starts[plainIndex] ?? this.source.length);
  }

  stringEnd(plainIndex: number): number {
    const index = this.sourceIndex(plainIndex);
    const tokens = this.tokens();
    const token = tokens[firstEndingBehind(tokens, index - 1)];
    const isInside = token !== undefined && token.isString && token.start <= index;
    return isInside ? this.#plainIndex(token.end) : this.plain.length;
  }

  /** The last character that begins at or before an index of the source. */
  #plainIndex(sourceIndex: number): number {
    const { starts } = this;
    if (starts === null) return sourceIndex;
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? Infinity) <= sourceIndex) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** A span of the plain text, as one of the source. */
export function inSource(view: View, start: number, end: number): Span {
  return { start: view.sourceIndex(start), end: view.sourceIndex(end) };
}
