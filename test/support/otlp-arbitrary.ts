import fc from 'fast-check';

/**
 * Random OTLP/JSON requests in the form of a conforming sender, with everything that OTLP permits. Reading
 * and writing one must reproduce it.
 */
const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
  fc.constantFrom(
    '"',
    '\\',
    '\u0000',
    '\u2028',
    '{"a":[1]}',
    'http.method',
    '__proto__',
    '1',
    '0',
    '{}',
    '[]',
  ),
);
const id = (bytes: number): fc.Arbitrary<string> =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((random) => Buffer.from(random).toString('hex'))
    .filter((hex) => !/^0+$/.test(hex));
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
const nanoseconds = fc.oneof(
  fc.bigInt({ min: 1_700_000_000_000_000_000n, max: 1_900_000_000_000_000_000n }).map(String),
  fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String),
);
const uint32 = fc.nat({ max: 0xffff_ffff });
const double = fc
  .double()
  .map((value) => (Number.isNaN(value) ? 'NaN' : Math.abs(value) === Infinity ? String(value) : value));

const { anyValue } = fc.letrec<{ anyValue: object; entry: object }>((tie) => ({
  anyValue: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ stringValue: text }),
    fc.constant({}),
    fc.record({ boolValue: fc.boolean() }),
    fc.record({ intValue: int64 }),
    fc.record({ doubleValue: double }),
    fc.record({
      bytesValue: fc.uint8Array({ maxLength: 6 }).map((it) => Buffer.from(it).toString('base64')),
    }),
    fc.record({ arrayValue: fc.record({ values: fc.array(tie('anyValue'), { maxLength: 4 }) }) }),
    fc.record({ kvlistValue: fc.record({ values: fc.array(tie('entry'), { maxLength: 4 }) }) }),
  ),
  entry: fc.record({ key: text, value: tie('anyValue') }),
}));

const filled = fc.array(fc.record({ key: text, value: anyValue }), { minLength: 1, maxLength: 5 });
const notZero = uint32.filter((value) => value !== 0);
const notEmpty = text.filter((value) => value !== '');
const optional: { requiredKeys: [] } = { requiredKeys: [] };

const withAttributes = { attributes: filled, droppedAttributesCount: notZero };

const event = fc.record(
  { timeUnixNano: nanoseconds, name: notEmpty, ...withAttributes },
  { requiredKeys: ['timeUnixNano'] },
);
const link = fc.record(
  { traceId: id(16), spanId: id(8), traceState: notEmpty, flags: notZero, ...withAttributes },
  { requiredKeys: [] },
);

const span = fc.record(
  {
    traceId: id(16),
    spanId: id(8),
    traceState: notEmpty,
    parentSpanId: id(8),
    flags: notZero,
    name: notEmpty,
    kind: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 6, max: 2 ** 31 - 1 })),
    startTimeUnixNano: nanoseconds,
    endTimeUnixNano: nanoseconds,
    ...withAttributes,
    events: fc.array(event, { minLength: 1, maxLength: 3 }),
    droppedEventsCount: notZero,
    links: fc.array(link, { minLength: 1, maxLength: 3 }),
    droppedLinksCount: notZero,
    status: fc
      .record({ code: fc.integer({ min: 1, max: 7 }), message: notEmpty }, optional)
      .filter((status) => Object.keys(status).length > 0),
  },
  { requiredKeys: ['traceId', 'spanId', 'startTimeUnixNano', 'endTimeUnixNano'] },
);

export const otlpRequest = fc.record({
  resourceSpans: fc.array(
    fc.record(
      {
        resource: fc.record(withAttributes, optional),
        schemaUrl: notEmpty,
        scopeSpans: fc.array(
          fc.record(
            {
              scope: fc.record({ name: notEmpty, version: notEmpty, ...withAttributes }, optional),
              schemaUrl: notEmpty,
              spans: fc.array(span, { minLength: 1, maxLength: 4 }),
            },
            { requiredKeys: ['scope', 'spans'] },
          ),
          // A rewritten request has each scope under its own resource.
          { minLength: 1, maxLength: 1 },
        ),
      },
      { requiredKeys: ['resource', 'scopeSpans'] },
    ),
    { minLength: 1, maxLength: 3 },
  ),
});
