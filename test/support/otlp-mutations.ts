import fc from 'fast-check';
import { otlpRequest } from './otlp-arbitrary.js';
import { otlpPayloads } from './otlp-payloads.js';

const hostile: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  '0',
  'x'.repeat(5_000),
  '\ud800',
  '\u0000',
  [],
  [[]],
  {},
  { values: [{}] },
  { arrayValue: { values: [null] } },
  { stringValue: 'a', intValue: '1' },
];

/**
 * A request with damage somewhere in its text or tree: a captured client request if those files are present,
 * otherwise a random one.
 */
export function damagedRequest(): fc.Arbitrary<Buffer> {
  const payloads = otlpPayloads().filter(({ bytes }) => bytes.length < 8_000);
  const whole = fc.oneof(
    otlpRequest.map((request) => JSON.stringify(request)),
    ...(payloads.length === 0 ? [] : [fc.constantFrom(...payloads.map(({ bytes }) => bytes.toString()))]),
  );
  const inTree = fc
    .tuple(whole, fc.array(fc.tuple(fc.nat(), fc.constantFrom(...hostile)), { minLength: 1, maxLength: 3 }))
    .map(([text, changes]) => {
      let tree: unknown = JSON.parse(text);
      for (const [at, value] of changes) tree = replaced(tree, at, structuredClone(value));
      return Buffer.from(JSON.stringify(tree));
    });
  const inText = fc
    .tuple(
      whole,
      fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 }), fc.nat({ max: 3 })), { minLength: 1, maxLength: 4 }),
    )
    .map(([text, changes]) =>
      changes.reduce<Buffer>((bytes, [at, byte, how]) => damaged(bytes, at, byte, how), Buffer.from(text)),
    );
  return fc.oneof(
    inTree,
    inText,
    whole.map((text) => Buffer.from(text)),
  );
}

/** The tree with this node replaced; nodes are numbered from the root, modulo their count. */
function replaced(tree: unknown, number: number, value: unknown): unknown {
  const members: { of: Record<string, unknown>; name: string }[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const of = node as Record<string, unknown>;
    for (const name of Object.keys(of)) {
      members.push({ of, name });
      visit(of[name]);
    }
  };
  visit(tree);
  const member = members[number % Math.max(1, members.length)];
  if (member === undefined) return value;
  member.of[member.name] = value;
  return tree;
}

function damaged(bytes: Buffer, position: number, byte: number, how: number): Buffer {
  const at = position % Math.max(1, bytes.length);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  if (how === 0) return Buffer.concat([before, Buffer.from([byte]), after.subarray(1)]);
  if (how === 1) return Buffer.concat([before, after.subarray(byte)]);
  if (how === 2) return Buffer.concat([before, after.subarray(0, byte), after]);
  return before;
}
