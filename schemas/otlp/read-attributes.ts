import { isMarked } from './exact-number.js';
import type { Attributes } from './span-block.js';
import { quoted, type Findings } from './findings.js';
import { double, doubleText, int64 } from './numbers.js';

/** The deepest nesting of values. Deeper values are a client's mistake, and a problem for trace readers. */
const deepestValue = 32;

type Json = Readonly<Record<string, unknown>>;

/** Reads OTLP's list of keys and values; undefined for an empty one. */
export function readAttributes(given: unknown, what: string, findings: Findings): Attributes | undefined {
  if (given === undefined || given === null) return undefined;
  if (!Array.isArray(given)) {
    findings.note(`${what} is not an array: ${quoted(given)}`);
    return undefined;
  }
  const count = given.length;
  if (count === 0) return undefined;
  let types = '';
  const keys: string[] = [];
  const values: string[] = [];
  for (let index = 0; index < count; index++) {
    const entry = given[index] as Json | null;
    if (typeof entry !== 'object' || entry === null) {
      findings.note(`${what}[${index}] is not an object: ${quoted(entry)}`);
      return undefined;
    }
    const key = text(entry['key'], 'key', what, findings);
    const value = entry['value'];
    const read = value === undefined || value === null ? nothing : readValue(value, key, findings);
    findings.characters += key.length + read.text.length;
    types += read.type;
    keys.push(key);
    values.push(read.text);
  }
  return { types, keys, values };
}

/** A text; absent means empty. */
export function text(value: unknown, name: string, what: string, findings: Findings): string {
  if (isText(value)) return value;
  if (value !== undefined && value !== null)
    findings.note(`${what}.${name} is not a string: ${quoted(value)}`);
  return '';
}

const isText = (value: unknown): value is string => typeof value === 'string' && !isMarked(value);

interface ReadValue {
  readonly type: string;
  /** In the form of `Attributes.values`. */
  readonly text: string;
}

const nothing: ReadValue = { type: 'n', text: '' };

function readValue(given: unknown, key: string, findings: Findings): ReadValue {
  const found = variantOf(given, key, findings);
  if (found === undefined) return nothing;
  const { variant, value } = found;
  if (variant !== 'a' && variant !== 'k') return readPlain(variant, value, key, findings);
  const nested = new Nested(key, findings);
  nested.add(variant, value, 1);
  return nested;
}

function readPlain(variant: PlainVariant, value: unknown, key: string, findings: Findings): ReadValue {
  switch (variant) {
    case 's':
      if (isText(value)) return { type: 's', text: value };
      break;
    case 'b':
      if (typeof value === 'boolean') return { type: 'b', text: value ? 'true' : 'false' };
      break;
    case 'i':
      return { type: 'i', text: int64(value, key, findings) };
    case 'd':
      return { type: 'd', text: doubleText(double(value, key, findings)) };
    case 'y': {
      const bytes = base64(value);
      if (bytes !== undefined) return { type: 'y', text: bytes };
    }
  }
  findings.note(`attribute ${quoted(key)} has a value that is no ${variantNames[variant]}: ${quoted(value)}`);
  return nothing;
}

type PlainVariant = 's' | 'b' | 'i' | 'd' | 'y';
type Variant = PlainVariant | 'a' | 'k';

const variantNames: Readonly<Record<PlainVariant, string>> = {
  s: 'string',
  b: 'boolean',
  i: 'integer',
  d: 'double',
  y: 'base64 text',
};

const variants: ReadonlyMap<string, Variant> = new Map([
  ['stringValue', 's'],
  ['string_value', 's'],
  ['boolValue', 'b'],
  ['bool_value', 'b'],
  ['intValue', 'i'],
  ['int_value', 'i'],
  ['doubleValue', 'd'],
  ['double_value', 'd'],
  ['arrayValue', 'a'],
  ['array_value', 'a'],
  ['kvlistValue', 'k'],
  ['kvlist_value', 'k'],
  ['bytesValue', 'y'],
  ['bytes_value', 'y'],
]);

interface FoundVariant {
  readonly variant: Variant;
  readonly value: unknown;
}

/** The variant of protobuf's oneof that is set; it is a problem if more than one is. */
function variantOf(given: unknown, key: string, findings: Findings): FoundVariant | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    findings.note(`attribute ${quoted(key)} has a value that is not an object: ${quoted(given)}`);
    return undefined;
  }
  let found: FoundVariant | undefined;
  const fields = given as Json;
  for (const name in fields) {
    const variant = variants.get(name);
    const value = fields[name];
    if (variant === undefined || value === null) continue;
    if (found !== undefined) findings.note(`attribute ${quoted(key)} has more than one value`);
    found = { variant, value };
  }
  return found;
}

const base64Text = /^[\w+/-]*={0,2}$/;

/** Accepts both base64 alphabets, padded or not, like protobuf's JSON mapping; returns the standard form. */
function base64(value: unknown): string | undefined {
  if (typeof value !== 'string' || !base64Text.test(value)) return undefined;
  const length = value.replace(/=+$/, '').length;
  return length % 4 === 1 ? undefined : Buffer.from(value, 'base64').toString('base64');
}

/** Writes the JSON and the letters of a value that contains others. */
class Nested implements ReadValue {
  type = '';
  text = '';

  constructor(
    private readonly key: string,
    private readonly findings: Findings,
  ) {}

  add(variant: Variant, value: unknown, depth: number): void {
    if (depth > deepestValue) {
      this.findings.note(`attribute ${quoted(this.key)} nests values more than ${deepestValue} deep`);
      return;
    }
    if (variant === 'a') this.addArray(value, depth);
    else if (variant === 'k') this.addList(value, depth);
    else this.addPlain(readPlain(variant, value, this.key, this.findings));
  }

  private addAny(given: unknown, depth: number): void {
    const found =
      given === undefined || given === null ? undefined : variantOf(given, this.key, this.findings);
    if (found === undefined) this.addPlain(nothing);
    else this.add(found.variant, found.value, depth);
  }

  private addPlain({ type, text: plain }: ReadValue): void {
    this.type += type;
    if (type === 'n') this.text += 'null';
    else if (type === 'b' || type === 'i') this.text += plain;
    else if (type === 'd' && Number.isFinite(Number(plain))) this.text += plain;
    else this.text += JSON.stringify(plain);
  }

  private addArray(value: unknown, depth: number): void {
    this.type += 'a(';
    this.text += '[';
    this.elementsOf(value).forEach((element, index) => {
      if (index > 0) this.text += ',';
      this.addAny(element, depth + 1);
    });
    this.text += ']';
    this.type += ')';
  }

  private addList(value: unknown, depth: number): void {
    this.type += 'k(';
    this.text += '{';
    this.elementsOf(value).forEach((element, index) => {
      const entry = (typeof element === 'object' && element !== null ? element : undefined) as
        Json | undefined;
      if (entry === undefined)
        this.findings.note(`attribute ${quoted(this.key)} lists a value that is not an object`);
      const key = text(entry?.['key'], 'key', `attribute ${quoted(this.key)}`, this.findings);
      this.text += `${index > 0 ? ',' : ''}${JSON.stringify(key)}:`;
      this.addAny(entry?.['value'], depth + 1);
    });
    this.text += '}';
    this.type += ')';
  }

  /** The values of an array or a list: both are objects with a `values` property, which can be absent. */
  private elementsOf(value: unknown): readonly unknown[] {
    const elements = typeof value === 'object' && value !== null ? (value as Json)['values'] : value;
    if (Array.isArray(elements)) return elements;
    if (typeof value !== 'object' || (elements !== undefined && elements !== null))
      this.findings.note(`attribute ${quoted(this.key)} has an array or list without an array of values`);
    return [];
  }
}
