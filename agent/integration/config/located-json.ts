/** JSON with the location of each value in the text, so that a mistake in a file can be pointed at. */
export interface LocatedJson {
  readonly value: unknown;
  /** Where the value with this pointer (RFC 6901) is, or the nearest one around it. */
  readonly locationOf: (pointer: string) => TextLocation;
}

/** Both from 1; columns count UTF-16 units. */
export interface TextLocation {
  readonly line: number;
  readonly column: number;
}

/** Its message quotes nothing of the text, which can contain secrets (`JSON.parse` would quote it). */
export class JsonMistake extends Error {
  readonly location: TextLocation;

  constructor(message: string, location: TextLocation) {
    super(message);
    this.name = 'JsonMistake';
    this.location = location;
  }
}

const deepest = 64;
const space = /[ \t\n\r]*/y;
const stringToken = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const words = { true: true, false: false, null: null } as const;

/** Throws a JsonMistake, also for a duplicate member and for text after the value. */
export function parseLocatedJson(text: string): LocatedJson {
  const reader = new LocatedReader(text);
  const value = reader.whole();
  return {
    value,
    locationOf(pointer) {
      let known = pointer;
      while (!reader.offsets.has(known) && known !== '') known = known.slice(0, known.lastIndexOf('/'));
      return locationAt(text, reader.offsets.get(known) ?? 0);
    },
  };
}

class LocatedReader {
  /** Where the value of each pointer begins. */
  readonly offsets = new Map<string, number>();
  private readonly text: string;
  private at: number;

  constructor(text: string) {
    this.text = text;
    this.at = text.startsWith('\uFEFF') ? 1 : 0;
  }

  whole(): unknown {
    const value = this.value('', 0);
    this.match(space);
    return this.at < this.text.length ? this.fail('nothing more is expected here') : value;
  }

  private value(pointer: string, depth: number): unknown {
    this.match(space);
    this.offsets.set(pointer, this.at);
    if (depth > deepest) return this.fail('this is nested too deeply');
    if (this.accept('{')) return this.object(pointer, depth + 1);
    if (this.accept('[')) return this.array(pointer, depth + 1);
    if (this.text[this.at] === '"') return this.string('text');
    for (const [word, meaning] of Object.entries(words)) {
      if (!this.text.startsWith(word, this.at)) continue;
      this.at += word.length;
      return meaning;
    }
    const number = this.match(numberToken);
    return number === undefined || number === '' ? this.fail('a value is expected here') : Number(number);
  }

  private object(pointer: string, depth: number): object {
    const members = new Map<string, unknown>();
    if (this.accept('}')) return {};
    do {
      this.match(space);
      const start = this.at;
      const name = this.string('name');
      if (members.has(name)) this.fail('this name is given twice', start);
      if (!this.accept(':')) this.fail('a colon is expected here, after the name');
      members.set(name, this.value(`${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth));
    } while (this.accept(','));
    if (!this.accept('}')) this.fail('a comma or } is expected here');
    return Object.fromEntries(members);
  }

  private array(pointer: string, depth: number): unknown[] {
    const items: unknown[] = [];
    if (this.accept(']')) return items;
    do items.push(this.value(`${pointer}/${items.length}`, depth));
    while (this.accept(','));
    if (!this.accept(']')) this.fail('a comma or ] is expected here');
    return items;
  }

  private string(what: string): string {
    const token = this.match(stringToken) ?? this.fail(`a ${what} is expected here, in double quotes`);
    return JSON.parse(token) as string;
  }

  private accept(character: string): boolean {
    this.match(space);
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private match(token: RegExp): string | undefined {
    token.lastIndex = this.at;
    const found = token.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  private fail(message: string, offset = this.at): never {
    throw new JsonMistake(message, locationAt(this.text, offset));
  }
}

function locationAt(text: string, offset: number): TextLocation {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
