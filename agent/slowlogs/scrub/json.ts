import { decoded } from './unescaped-text.js';

/** A string of JSON, from its first to its last character, without its quotation marks. */
export class JsonString {
  readonly kind = 'string';
  private decoded: string | undefined;

  constructor(
    readonly source: string,
    readonly start: number,
    readonly end: number,
    /** Its closing mark is missing: the text ends inside it. */
    readonly isOpen: boolean,
  ) {}

  get value(): string {
    return (this.decoded ??= decoded(this.source.slice(this.start, this.end)));
  }
}

/** A number, `true`, `null`, or any other unquoted word. */
export interface JsonScalar {
  readonly kind: 'scalar';
  readonly start: number;
  readonly end: number;
}

export interface JsonMember {
  /** Null in an array, and for a value that has lost its key. */
  readonly key: JsonString | null;
  readonly value: JsonNode;
}

export interface JsonGroup {
  readonly kind: 'object' | 'array';
  readonly start: number;
  readonly end: number;
  readonly isOpen: boolean;
  readonly members: readonly JsonMember[];
}

export type JsonNode = JsonString | JsonScalar | JsonGroup;

/** Brackets of deeper groups are read as scalars. */
const depthAtMost = 200;

/**
 * Parses the JSON that begins at an offset. Tolerant: what is cut off ends with the text, and broken JSON is
 * parsed as far as possible. Null if no JSON begins there.
 */
export function readJson(text: string, from = 0): JsonNode | null {
  return new Reader(text, from).value(0);
}

const [quotationMark, backslash, comma, colon] = [34, 92, 44, 58];
const [openBrace, closeBrace, openBracket, closeBracket] = [123, 125, 91, 93];
const word = /[^,\]}\s":]+/y;

class Reader {
  constructor(
    private readonly text: string,
    private at: number,
  ) {}

  value(depth: number): JsonNode | null {
    this.skipBlanks();
    const code = this.text.charCodeAt(this.at);
    if (code === quotationMark) return this.string();
    if (code === openBrace || code === openBracket)
      return depth < depthAtMost ? this.group(code === openBrace, depth) : this.sign();
    word.lastIndex = this.at;
    if (!word.test(this.text)) return null;
    const start = this.at;
    this.at = word.lastIndex;
    return { kind: 'scalar', start, end: this.at };
  }

  private sign(): JsonScalar {
    this.at += 1;
    return { kind: 'scalar', start: this.at - 1, end: this.at };
  }

  private skipBlanks(): void {
    while (this.text.charCodeAt(this.at) <= 32) this.at += 1;
  }

  private string(): JsonString {
    const { text } = this;
    const start = this.at + 1;
    let close = text.indexOf('"', start);
    while (close !== -1 && backslashesBefore(text, close, start) % 2 === 1)
      close = text.indexOf('"', close + 1);
    const end = close === -1 ? text.length : close;
    this.at = close === -1 ? end : end + 1;
    return new JsonString(text, start, end, close === -1);
  }

  private group(isObject: boolean, depth: number): JsonGroup {
    const start = this.at;
    const members: JsonMember[] = [];
    let isOpen = false;
    this.at += 1;
    for (;;) {
      this.skipBlanks();
      const code = this.text.charCodeAt(this.at);
      if (Number.isNaN(code)) {
        isOpen = true;
        break;
      }
      if (code === closeBrace || code === closeBracket) {
        this.at += 1;
        break;
      }
      const member = code === comma || code === colon ? null : this.member(isObject, depth);
      if (member === null) this.at += 1;
      else members.push(member);
    }
    return { kind: isObject ? 'object' : 'array', start, end: this.at, isOpen, members };
  }

  private member(isObject: boolean, depth: number): JsonMember | null {
    const first = this.value(depth + 1);
    if (first === null || !isObject || first.kind !== 'string') return first && { key: null, value: first };
    this.skipBlanks();
    if (this.text.charCodeAt(this.at) !== colon) return { key: null, value: first };
    this.at += 1;
    const value = this.value(depth + 1);
    return value && { key: first, value };
  }
}

export function backslashesBefore(text: string, at: number, from = 0): number {
  let first = at;
  while (first > from && text.charCodeAt(first - 1) === backslash) first -= 1;
  return at - first;
}

/** The strings within a node, down to this number of levels. */
export function* stringsIn(node: JsonNode, levels: number): Iterable<JsonString> {
  if (node.kind === 'string') yield node;
  else if (node.kind !== 'scalar' && levels > 0)
    for (const { value } of node.members) yield* stringsIn(value, levels - 1);
}
