import { gzipSync } from 'node:zlib';
import { atScale } from './scale.js';

/** A request made to cost a server as much as its limits permit. */
export interface HostileRequest {
  readonly name: string;
  readonly server: 'edge' | 'agent';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Compressed; built on demand. */
  readonly body?: () => Buffer;
}

export const mebibyte = 1024 * 1024;

/** JSON of about this many bytes, each shape hard on a parser in its own way. */
export const hardJson: Readonly<Record<string, (bytes: number) => string>> = {
  'lists in lists': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'open lists': (bytes) => '['.repeat(bytes),
  'objects in objects': (bytes) => '{"a":'.repeat(bytes / 6) + '1' + '}'.repeat(bytes / 6),
  'empty lists': (bytes) => `[${'[],'.repeat(bytes / 3)}1]`,
  'empty objects': (bytes) => `[${'{},'.repeat(bytes / 3)}1]`,
  numbers: (bytes) => `[${'1e9,'.repeat(bytes / 4)}1]`,
  'one number': (bytes) => `[${'1'.repeat(bytes)}]`,
  'short texts': (bytes) => `[${'"a",'.repeat(bytes / 4)}1]`,
  'names without end': (bytes) => `{${numbered(bytes / 9, (id) => `"${id}":1`)}}`,
  'names that are numbers': (bytes) => `{${numbered(bytes / 14, (_, at) => `"${at * 7_919}":1`)}}`,
  'objects of one name each': (bytes) => `[${numbered(bytes / 13, (id) => `{"${id}":1}`)}]`,
  escapes: (bytes) => `"${'\\u0001'.repeat(bytes / 6)}"`,
  'a wide text': (bytes) => `"${'\u4e00'.repeat(bytes / 3)}"`,
  'white space': (bytes) => ' '.repeat(bytes),
};

function numbered(count: number, of: (id: string, at: number) => string): string {
  return Array.from({ length: Math.floor(count) }, (_, at) => of(at.toString(36), at)).join(',');
}

export type Bodies = Readonly<Record<string, () => string>>;

export function* inBodies(
  server: 'edge' | 'agent',
  path: string,
  type: string,
  bodies: Bodies,
  more: () => Readonly<Record<string, string>> = () => ({}),
): Iterable<HostileRequest> {
  for (const [name, text] of Object.entries(bodies))
    yield {
      name: `POST ${path}: ${name}`,
      server,
      method: 'POST',
      path,
      headers: { 'content-type': type, 'content-encoding': 'gzip', ...more() },
      body: () => gzipSync(text(), { level: 1 }),
    };
}

export function wholeBodies(bytes: number): Bodies {
  return Object.fromEntries(Object.entries(hardJson).map(([name, json]) => [name, () => json(bytes)]));
}

/**
 * For bodies that cost a server at least fifty times their bytes: large enough to expose an unbounded loop.
 */
export const dense = 4 * mebibyte;
const denseShapes = /^(empty|numbers|short texts|objects of one name|names)/;

/** Shapes that are hard in different ways: depth, many names, names that are indices, many objects, long texts. */
const hardest: readonly string[] = [
  'lists in lists',
  'names without end',
  'names that are numbers',
  'objects of one name each',
  'escapes',
];

/** The hardest shapes, each in an unused field; all shapes with `TEST_SCALE=full`. */
export function inField(bytes: number, around: (json: string) => string): Bodies {
  const sizeOf = (name: string): number => (denseShapes.test(name) ? Math.min(bytes, dense) : bytes) - 256;
  return Object.fromEntries(
    Object.entries(hardJson)
      .filter(([name]) => atScale(hardest.includes(name), true))
      .map(([name, json]) => [`${name}, in a field`, () => around(json(sizeOf(name)))]),
  );
}
