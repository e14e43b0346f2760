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

/** Its message quotes nothing of the text, which may contain secrets (`JSON.parse` would quote it). */
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

/** Throws a JsonMistake, also for a member that is given twice, and for text after the value. */
export function parseLocatedJson(text: string): LocatedJson {
  const offsets = new Map<string, number>();
  let at = text.startsWith('\uFEFF') ? 1 : 0;

  const fail = (message: string, offset = at): never => {
    throw new JsonMistake(message, locationAt(text, offset));
  };
  const match = (token: RegExp): string | undefined => {
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const accept = (character: string): boolean => {
    match(space);
    if (text[at] !== character) return false;
    at += 1;
    return true;
  };
  const string = (what: string): string => {
    const token = match(stringToken) ?? fail(`a ${what} is expected here, in double quotes`);
    return JSON.parse(token) as string;
  };

  const object = (pointer: string, depth: number): object => {
    const members = new Map<string, unknown>();
    if (accept('}')) return {};
    do {
      match(space);
      const start = at;
      const name = string('name');
      if (members.has(name)) fail('this name is given twice', start);
      if (!accept(':')) fail('a colon is expected here, after the name');
      members.set(name, value(`${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth));
    } while (accept(','));
    if (!accept('}')) fail('a comma or } is expected here');
    return Object.fromEntries(members);
  };
  const array = (pointer: string, depth: number): unknown[] => {
    const items: unknown[] = [];
    if (accept(']')) return items;
    do items.push(value(`${pointer}/${items.length}`, depth));
    while (accept(','));
    if (!accept(']')) fail('a comma or ] is expected here');
    return items;
  };
  const value = (pointer: string, depth: number): unknown => {
    match(space);
    offsets.set(pointer, at);
    if (depth > deepest) return fail('this is nested too deeply');
    if (accept('{')) return object(pointer, depth + 1);
    if (accept('[')) return array(pointer, depth + 1);
    if (text[at] === '"') return string('text');
    for (const [word, meaning] of Object.entries(words)) {
      if (!text.startsWith(word, at)) continue;
      at += word.length;
      return meaning;
    }
    const number = match(numberToken);
    return number === undefined || number === '' ? fail('a value is expected here') : Number(number);
  };

  const root = value('', 0);
  match(space);
  if (at < text.length) fail('nothing more is expected here');
  return {
    value: root,
    locationOf(pointer) {
      let known = pointer;
      while (!offsets.has(known) && known !== '') known = known.slice(0, known.lastIndexOf('/'));
      return locationAt(text, offsets.get(known) ?? 0);
    },
  };
}

function locationAt(text: string, offset: number): TextLocation {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
