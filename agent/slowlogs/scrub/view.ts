import { mayHoldHtml, mayHoldQuery, unitAt, unitInQueryAt, type Unit } from './escapes.js';
import type { Fields } from './field-tables.js';
import { fieldsOf } from './json-fields.js';
import { Marks } from './json-marks.js';
import { isCutOff, tokensOf } from './json-structure.js';
import type { Tokens } from './json-tokens.js';
import { spanOf, type FoundSpan, type Span } from './span.js';
import { Units } from './units.js';

/**
 * A text as a reader sees it, with backslash and percent escapes resolved, however deep they are, and the marks of HTML:
 * `\"`, `\\\"`, `%22` and `&quot;` all read `"`. Rules look for secrets in it; what they find is replaced in the text as it was.
 */
export interface View {
  readonly source: string;
  readonly plain: string;
  /** Those of `plain`. */
  readonly units: Units;
  /** Those of `source`. */
  readonly sourceUnits: Units;
  /** Whether it is JSON without its end: its last word may be a part of one. */
  readonly cutOff: boolean;
  /** The quotation marks of the source. */
  marks(): Marks;
  /** Strings and values, where the source is JSON. */
  tokens(): Tokens;
  /** What the source's JSON, wherever it stands, holds under which names. */
  fields(): Fields;
  /** Where the character at an index of `plain` begins in `source`; its length gives the end. */
  sourceIndex(plainIndex: number): number;
  /** How much of `source` the character at an index of `plain` takes: more than one where it is escaped. */
  widthAt(plainIndex: number): number;
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
  const structure = new Structure(new Units(source));
  return source.includes('\\') || source.includes('%') || mayHoldHtml(source)
    ? resolved(structure, unitAt)
    : new PlainView(structure, source, null);
}

function resolved(structure: Structure, read: (source: string, at: number) => Unit): View {
  const source = structure.units.text;
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
  #marks: Marks | null = null;
  #tokens: Tokens | null = null;
  #fields: Fields | null = null;

  constructor(readonly units: Units) {
    this.cutOff = isCutOff(units);
  }

  marks(): Marks {
    return (this.#marks ??= new Marks(this.units));
  }

  tokens(): Tokens {
    return (this.#tokens ??= tokensOf(this.units, this.marks()));
  }

  fields(): Fields {
    return (this.#fields ??= fieldsOf(this.units, this.marks()));
  }
}

class PlainView implements View {
  readonly source: string;
  readonly cutOff: boolean;
  readonly units: Units;
  /** Of a string that is asked for again and again. */
  #sourceEnd = -1;
  #foundEnd = -1;

  constructor(
    private readonly structure: Structure,
    readonly plain: string,
    /** Where each character of `plain` begins in `source`; null where both are one. */
    private readonly starts: Uint32Array | null,
  ) {
    this.source = structure.units.text;
    this.cutOff = structure.cutOff;
    this.units = starts === null ? structure.units : new Units(plain);
  }

  get sourceUnits(): Units {
    return this.structure.units;
  }

  marks(): Marks {
    return this.structure.marks();
  }

  tokens(): Tokens {
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

  widthAt(plainIndex: number): number {
    const { starts } = this;
    return starts === null ? 1 : (starts[plainIndex + 1] ?? 0) - (starts[plainIndex] ?? 0);
  }

  stringEnd(plainIndex: number): number {
    const tokens = this.structure.tokens();
    if (tokens.length === 0) return this.plain.length;
    const index = this.sourceIndex(plainIndex);
    const token = tokens.firstEndingFrom(index);
    const isInside = token < tokens.length && tokens.isString(token) && tokens.startOf(token) <= index;
    return isInside ? this.#plainEnd(tokens.endOf(token), plainIndex) : this.plain.length;
  }

  /** Where what ends at an index of the source behind `from` ends in the plain text, which is nowhere longer. */
  #plainEnd(sourceEnd: number, from: number): number {
    const { starts } = this;
    if (starts === null) return sourceEnd;
    if (sourceEnd === this.#sourceEnd) return this.#foundEnd;
    let high = Math.min(starts.length - 1, from + sourceEnd - this.sourceIndex(from));
    let low = Math.min(from, high);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? Infinity) <= sourceEnd) low = middle;
      else high = middle - 1;
    }
    this.#sourceEnd = sourceEnd;
    this.#foundEnd = low;
    return low;
  }
}

/** A span of the plain text, as one of the source. */
export function inSource(view: View, start: number, end: number): Span {
  return spanOf(view.sourceIndex(start), view.sourceIndex(end));
}
