/** OTLP's AnyValue, as OTLP/JSON writes it. */
export interface AnyValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: string;
  readonly doubleValue?: number | string;
  readonly bytesValue?: string;
  readonly arrayValue?: { readonly values: readonly AnyValue[] };
  readonly kvlistValue?: { readonly values: readonly { readonly key: string; readonly value: AnyValue }[] };
}

/**
 * Parses the JSON of an array or a list of keys and values, with the letters of its elements (see
 * `Attributes`). JSON.parse would not do: JavaScript objects have each key once, in their own order, and
 * numbers lose digits.
 */
export function readTypedJson(types: string, json: string): AnyValue {
  return new TypedReader(types, json).value();
}

const tokens = /\s*("(?:[^"\\]|\\.)*"|[^\s",:[\]{}]+|[,:[\]{}])/y;

class TypedReader {
  private type = 0;
  private at = 0;

  constructor(
    private readonly types: string,
    private readonly json: string,
  ) {}

  value(): AnyValue {
    const type = this.types[this.type++];
    if (type === 'a') return { arrayValue: { values: this.elements('[', () => this.value()) } };
    if (type === 'k')
      return {
        kvlistValue: {
          values: this.elements('{', () => {
            const key = JSON.parse(this.token()) as string;
            this.token();
            return { key, value: this.value() };
          }),
        },
      };
    return this.plain(type, this.token());
  }

  private plain(type: string | undefined, token: string): AnyValue {
    if (type === 'n') return {};
    if (type === 'i') return { intValue: token };
    if (type === 'b') return { boolValue: token === 'true' };
    if (type === 'd') return { doubleValue: JSON.parse(token) as number | string };
    return { [type === 'y' ? 'bytesValue' : 'stringValue']: JSON.parse(token) as string };
  }

  private elements<Element>(open: '[' | '{', read: () => Element): readonly Element[] {
    const elements: Element[] = [];
    this.token(); // the bracket
    this.type += 1; // the parenthesis
    const close = open === '[' ? ']' : '}';
    if (this.peek() === close) this.token();
    else
      do {
        elements.push(read());
      } while (this.token() === ',');
    this.type += 1;
    return elements;
  }

  private peek(): string {
    const { at } = this;
    const token = this.token();
    this.at = at;
    return token;
  }

  private token(): string {
    tokens.lastIndex = this.at;
    const found = tokens.exec(this.json)?.[1] ?? '';
    this.at = tokens.lastIndex;
    return found;
  }
}
