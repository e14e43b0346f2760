import assert from 'node:assert/strict';
import { readTraces, UnreadableTraces, type ReadTraces } from '../../../../schemas/otlp/read-request.js';
import type { Span } from '../../../../schemas/otlp/span-block.js';

const traceId = '5b8efff798038103d269b633813fc60c';
const spanId = 'eee19b7ec3c1b174';
const good = {
  traceId,
  spanId,
  name: 'GET /',
  kind: 2,
  startTimeUnixNano: '1544712660000000001',
  endTimeUnixNano: '1544712661000000002',
};
const request = (...spans: readonly unknown[]) => ({
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
      scopeSpans: [{ scope: { name: 'lib' }, spans }],
    },
  ],
});
const read = (body: unknown, application?: string): ReadTraces =>
  readTraces(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), application);
const spanOf = (given: object): Span => {
  const { blocks, reasons } = read(request({ ...good, ...given }));
  assert.deepEqual(reasons, []);
  const span = blocks[0]?.spans[0];
  assert.ok(span);
  return span;
};
const valueOf = (value: unknown): readonly [string, string] => {
  const { types = '', values = [] } = spanOf({ attributes: [{ key: 'k', value }] }).attributes ?? {};
  return [types, values[0] ?? ''];
};

describe('an OTLP/JSON trace request', () => {
  it('becomes blocks of one resource and one scope', () => {
    const { resourceSpans } = request(good, good);
    const { blocks, accepted } = read({ resourceSpans: [...resourceSpans, ...resourceSpans] });
    assert.equal(accepted, 4);
    assert.deepEqual(
      blocks.map(({ application, scope, spans }) => [application, scope?.name, spans.length]),
      [
        ['shop', 'lib', 2],
        ['shop', 'lib', 2],
      ],
    );
  });

  it("is named after its path, else its service, else by OpenTelemetry's name for unnamed services", () => {
    assert.equal(read(request(good), 'path').blocks[0]?.application, 'path');
    assert.equal(read(request(good)).blocks[0]?.application, 'shop');
    const unnamed = { resourceSpans: [{ scopeSpans: [{ spans: [good] }] }] };
    assert.equal(read(unnamed).blocks[0]?.application, 'unknown_service');
  });

  it('is split if a block gets large', () => {
    const large = { ...good, name: 'x'.repeat(100_000) };
    assert.deepEqual(
      read(request(large, large, large, good)).blocks.map(({ spans }) => spans.length),
      [2, 2],
    );
    assert.deepEqual(
      read(request(...Array.from({ length: 1_200 }, () => good))).blocks.map(({ spans }) => spans.length),
      [500, 500, 200],
    );
  });

  it('is split if copying its resource to every trace would take far more space than the body', () => {
    const attributes = [{ key: 'command', value: { stringValue: 'c'.repeat(100_000) } }];
    const spansOf = (traces: number): object[] =>
      Array.from({ length: 100 }, (_, index) => ({
        ...good,
        traceId: `${traceId.slice(2)}${10 + (index % traces)}`,
      }));
    const blocksOf = (traces: number): readonly number[] =>
      read({
        resourceSpans: [{ resource: { attributes }, scopeSpans: [{ spans: spansOf(traces) }] }],
      }).blocks.map(({ spans }) => spans.length);
    assert.deepEqual(blocksOf(5), [100]);
    assert.deepEqual(
      blocksOf(50),
      Array.from({ length: 10 }, () => 10),
    );
  });

  it('takes ids in hex of any case and in base64', () => {
    const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');
    for (const [trace, span] of [
      [traceId.toUpperCase(), spanId.toUpperCase()],
      [base64(traceId), base64(spanId)],
    ]) {
      const taken = spanOf({ traceId: trace, spanId: span, parentSpanId: span });
      assert.deepEqual([taken.trace_id, taken.span_id, taken.parent_span_id], [traceId, spanId, spanId]);
    }
  });

  it('takes a parent that is empty or all zero as none', () => {
    for (const parentSpanId of ['', null, '0000000000000000', 'AAAAAAAAAAA='])
      assert.equal(spanOf({ parentSpanId }).parent_span_id, undefined);
  });

  it('accepts enums as names and as integers, even integers that it has no name for', () => {
    assert.equal(spanOf({ kind: 'SPAN_KIND_CONSUMER' }).kind, 5);
    assert.equal(spanOf({ kind: 99 }).kind, 99);
    assert.equal(spanOf({ kind: 0 }).kind, undefined);
    assert.equal(spanOf({ status: { code: 'STATUS_CODE_ERROR', message: 'm' } }).status_code, 2);
  });

  it('loses no digit of a 64-bit integer, in whatever form it comes', () => {
    const time = '1544712660000000123';
    for (const form of [time, `"${time}"`, '1544712660.000000123e9', `${time}.0`]) {
      const text = JSON.stringify(request(good)).replace('"1544712660000000001"', form);
      assert.equal(read(text).blocks[0]?.spans[0]?.start, time, form);
    }
    for (const form of ['9007199254740993', '-9223372036854775808', '9223372036854775807']) {
      const text = JSON.stringify(
        request({
          ...good,
          name: 'at 12345678901234567890 \\" {"',
          attributes: [{ key: 'k', value: { intValue: 'X' } }],
        }),
      ).replace('"X"', form);
      const span = read(text).blocks[0]?.spans[0];
      assert.deepEqual([span?.attributes?.values, span?.name], [[form], 'at 12345678901234567890 \\" {"']);
    }
    assert.deepEqual(valueOf({ intValue: 42 }), ['i', '42']);
    assert.deepEqual(valueOf({ intValue: -0 }), ['i', '0']);
    assert.deepEqual(valueOf({ intValue: '007' }), ['i', '7']);
  });

  it('does not accept a number in place of a text, however many digits it has', () => {
    const long = '12345678901234567890';
    const text = JSON.stringify(
      request(
        { ...good, name: 'NUMBER' },
        { ...good, startTimeUnixNano: 'TIME' },
        { ...good, attributes: [{ key: 'k', value: { stringValue: 'NUMBER' } }] },
        { ...good, status: { message: 'NUMBER' } },
        { ...good, traceId: 'NUMBER' },
        { ...good, kind: 'NUMBER' },
        { ...good, kind: 'KIND', flags: 'KIND', name: '\u{10000}9' },
        { ...good, attributes: [{ key: 'k', value: { doubleValue: 'DOUBLE' } }] },
      ),
    )
      .replaceAll('"NUMBER"', long)
      .replace('"TIME"', '1544712660000000001')
      .replaceAll('"KIND"', '2.0000000000000000000')
      .replace('"DOUBLE"', '0.1000000000000000055511151231257827');
    const { blocks, rejected, reasons } = read(text);
    const spans = blocks.flatMap((block) => block.spans);
    assert.deepEqual([rejected, spans.length], [5, 3]);
    for (const reason of reasons) assert.match(reason, /: 12345678901234567890$/);
    const [timed, kind, double] = spans;
    assert.equal(timed?.start, '1544712660000000001');
    assert.deepEqual([kind?.kind, kind?.flags, kind?.name], [2, 2, '\u{10000}9']);
    assert.deepEqual(double?.attributes?.values, ['0.1']);
  });

  it('takes doubles that JSON has no number for', () => {
    for (const text of ['NaN', 'Infinity', '-Infinity', '1.5'])
      assert.deepEqual(valueOf({ doubleValue: text }), ['d', text]);
    assert.deepEqual(valueOf({ doubleValue: 72 }), ['d', '72']);
  });

  it('keeps the types of values within values', () => {
    const nested = {
      kvlistValue: {
        values: [
          { key: '2', value: { intValue: '9223372036854775807' } },
          { key: '1', value: { arrayValue: { values: [{ doubleValue: 1 }, { bytesValue: 'AAE=' }, {}] } } },
          { key: '2', value: { kvlistValue: {} } },
        ],
      },
    };
    assert.deepEqual(valueOf(nested), [
      'k(ia(dyn)k())',
      '{"2":9223372036854775807,"1":[1,"AAE=",null],"2":{}}',
    ]);
  });

  it('reads values that are absent, null or of an unknown kind as none', () => {
    for (const value of [undefined, null, {}, { stringValue: null }, { string_value_strindex: 3 }])
      assert.deepEqual(valueOf(value), ['n', '']);
  });

  it('takes bytes in both alphabets, padded or not', () => {
    for (const bytesValue of ['-_8=', '+/8=', '+/8'])
      assert.deepEqual(valueOf({ bytesValue }), ['y', '+/8=']);
  });

  it('accepts null if protobuf has a default', () => {
    const span = spanOf({
      attributes: null,
      name: null,
      status: null,
      events: null,
      links: null,
      flags: null,
    });
    assert.deepEqual(Object.keys(span).sort(), ['end', 'kind', 'span_id', 'start', 'trace_id']);
  });

  it('replaces what no store could keep: lone surrogates, and bytes that are not UTF-8', () => {
    const named = (name: string): string => JSON.stringify(request(good)).replace('GET /', name);
    for (const [sent, kept] of [
      ['a\\ud800b', 'a\ufffdb'],
      ['\\uDC00', '\ufffd'],
      ['\\ud83d\\ude00', '\u{1f600}'],
      ['\\\\ud800', '\\ud800'],
      ['\\ud83d\\ud83d\\ude00', '\ufffd\u{1f600}'],
      ['\\u0000', '\u0000'],
    ] as const)
      assert.equal(read(named(sent)).blocks[0]?.spans[0]?.name, kept, sent);
    const bytes = Buffer.from(named('#'));
    bytes[bytes.indexOf('#')] = 0xff;
    assert.equal(readTraces(bytes).blocks[0]?.spans[0]?.name, '\ufffd');
  });

  it('skips a byte order mark', () => {
    assert.equal(read(`\ufeff${JSON.stringify(request(good))}`).accepted, 1);
  });

  it('takes the older name of the list of scopes, also at the root', () => {
    const scopes = [{ instrumentationLibrary: { name: 'old' }, spans: [good] }];
    for (const body of [
      { resourceSpans: [{ instrumentationLibrarySpans: scopes }] },
      { instrumentationLibrarySpans: scopes },
    ])
      assert.deepEqual(
        read(body).blocks.map(({ scope, spans }) => [scope?.name, spans.length]),
        [['old', 1]],
      );
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] };
    assert.equal(read({ resource, instrumentationLibrarySpans: scopes }).blocks[0]?.application, 'shop');
  });
});

describe('a span that cannot be taken', () => {
  const refused: readonly (readonly [string, object, RegExp])[] = [
    ['has no trace id', { traceId: undefined }, /traceId must be 32 hex digits .*: missing/],
    ['has an empty trace id', { traceId: '' }, /traceId must be/],
    ['has a trace id of zeros', { traceId: '0'.repeat(32) }, /traceId is all zero/],
    ['has a trace id of zeros in base64', { traceId: `${'A'.repeat(22)}==` }, /traceId is all zero/],
    ['has a trace id that is too short', { traceId: traceId.slice(2) }, /traceId must be/],
    ['has a span id of the wrong length', { spanId: traceId }, /spanId must be 16 hex digits/],
    ['has a parent that is no id', { parentSpanId: 'root' }, /parentSpanId must be .*"root"/],
    ['has a kind of an unknown name', { kind: 'SPAN_KIND_ROBOT' }, /kind is unknown: "SPAN_KIND_ROBOT"/],
    ['has a status of an unknown name', { status: { code: 'OK' } }, /status.code is unknown/],
    ['has a time before 1970', { startTimeUnixNano: -1 }, /startTimeUnixNano is not a number of nanoseconds/],
    ['has an ISO time', { endTimeUnixNano: '2026-01-01T00:00:00Z' }, /endTimeUnixNano is not a number/],
    [
      'has a time that 64 bits do not hold',
      { endTimeUnixNano: '18446744073709551616' },
      /after the year 2262/,
    ],
    [
      'has a boolean as text',
      { attributes: [{ key: 'k', value: { boolValue: 'true' } }] },
      /attribute "k" .* no boolean: "true"/,
    ],
    [
      'has an integer that is none',
      { attributes: [{ key: 'k', value: { intValue: 1.5 } }] },
      /attribute "k" is not an integer: 1.5/,
    ],
    [
      'has an integer of more than 64 bits',
      { attributes: [{ key: 'k', value: { intValue: '9223372036854775808' } }] },
      /does not fit 64 bits/,
    ],
    [
      'has a double that is none',
      { attributes: [{ key: 'k', value: { doubleValue: 'much' } }] },
      /is not a double: "much"/,
    ],
    [
      'has two values in one',
      { attributes: [{ key: 'k', value: { intValue: 1, boolValue: true } }] },
      /more than one value/,
    ],
    [
      'has bytes that are no base64',
      { attributes: [{ key: 'k', value: { bytesValue: '#' } }] },
      /no base64 text/,
    ],
    ['has a key that is no text', { attributes: [{ key: 7, value: {} }] }, /key is not a string: 7/],
    ['has attributes that are no list', { attributes: { a: 1 } }, /attributes is not an array: an object/],
    ['has a name that is no text', { name: 7 }, /name is not a string: 7/],
    ['has events that are no list', { events: 'none' }, /events is not an array/],
    ['has an event that is no object', { events: [null] }, /events has an element that is not an object/],
    ['has a link with a bad id', { links: [{ traceId: 'x', spanId }] }, /links.traceId must be/],
    ['has more flags than 32 bits', { flags: 2 ** 32 }, /flags is not an unsigned 32-bit integer/],
    ['is larger than any record', { name: 'x'.repeat(600_000) }, /the span has more than 524288 characters/],
  ];
  for (const [what, change, reason] of refused)
    it(`${what}: it is refused alone, with its place and its reason`, () => {
      const { accepted, rejected, reasons, blocks } = read(request(good, { ...good, ...change }, good));
      assert.deepEqual(
        { accepted, rejected, spans: blocks[0]?.spans.length },
        { accepted: 2, rejected: 1, spans: 2 },
      );
      assert.match(reasons[0] ?? '', reason);
      assert.match(reasons[0] ?? '', /^resourceSpans\[0\]\.scopeSpans\[0\]\.spans\[1\]: /);
    });

  it('is refused if its values are nested too deeply', () => {
    const nested = `${'{"arrayValue":{"values":['.repeat(2_000)}${']}}'.repeat(2_000)}`;
    const body = JSON.stringify(request(good, { ...good, attributes: [{ key: 'k', value: 'X' }] }));
    const { rejected, reasons } = read(body.replace('"X"', nested));
    assert.equal(rejected, 1);
    assert.match(reasons[0] ?? '', /nests values more than 32 deep/);
  });

  it('is refused with its whole resource if that is what is wrong', () => {
    const body = request(good, good);
    const bad = { ...body.resourceSpans[0], resource: { attributes: [{ key: 'k', value: 'v' }] } };
    const { accepted, rejected } = read({ resourceSpans: [...body.resourceSpans, bad] });
    assert.deepEqual({ accepted, rejected }, { accepted: 2, rejected: 2 });
  });

  it('is counted, with the reason for only the first few', () => {
    const { rejected, reasons } = read(request(...Array.from({ length: 100 }, () => ({}))));
    assert.equal(rejected, 100);
    assert.equal(reasons.length, 5);
  });
});

describe('a body', () => {
  const span = JSON.stringify(request(good));
  for (const [what, body, reason] of [
    ['is empty', '', /empty/],
    ['is no JSON', '{"resourceSpans":', /not valid JSON/],
    ['has something behind its end', `${span} x`, /more than one document/],
    ['holds two documents', span + span, /more than one document/],
    ['is null', 'null', /must be a JSON object/],
    ['is an array', '[]', /must be a JSON object/],
    ['has the root of another system', '{"batches":[{}]}', /"batches", but no resourceSpans/],
    ['is a resource without its list', '{"resource":{},"scopeSpans":[]}', /Send \{"resourceSpans"/],
    ['has a list that is none', '{"resourceSpans":{}}', /resourceSpans is not an array/],
    ['has elements that are none', '{"resourceSpans":[7]}', /resourceSpans\[0\] is not an object/],
    ['has resources without scopes', '{"resourceSpans":[{"spans":[]}]}', /"spans", but no scopeSpans/],
    ['has scopes without spans', '{"resourceSpans":[{"scopeSpans":[{"span":[]}]}]}', /"span", but no spans/],
    ['nests without end', '['.repeat(2_000_000), /nested too deeply/],
  ] as const)
    it(`that ${what} is refused as a whole`, () => {
      assert.throws(
        () => read(body),
        (error) => error instanceof UnreadableTraces && reason.test(error.message),
      );
    });

  for (const [what, body] of [
    ['is an empty object', '{}'],
    ['has an empty list', '{"resourceSpans":[]}'],
    ['has null as its list', '{"resourceSpans":null}'],
    ['has a resource without scopes', '{"resourceSpans":[{"resource":{}}]}'],
    ['has a scope without spans', '{"resourceSpans":[{"scopeSpans":[{"scope":{}}]}]}'],
  ] as const)
    it(`that ${what} has no spans, which is no mistake`, () => {
      assert.deepEqual(read(body), { blocks: [], accepted: 0, rejected: 0, reasons: [] });
    });

  it('is not accepted without a remark if a part of it is not recognised', () => {
    const { resourceSpans } = request(good);
    const found = read({ resourceSpans: [...resourceSpans, { batches: [{ spans: [good] }] }] });
    assert.equal(found.accepted, 1);
    assert.deepEqual(found.reasons, ['resourceSpans[1] has "batches", but no scopeSpans.']);
  });

  it('can have unknown fields', () => {
    const body = JSON.parse(JSON.stringify(request({ ...good, new: 1 }))) as object;
    assert.equal(read({ ...body, entityRefs: [] }).accepted, 1);
  });

  it('of the largest size is read in time and without loss', () => {
    const text = span.replace('"1544712660000000001"', '1544712660000000001');
    const long = text.replace('GET /', '\\"'.repeat(200_000));
    assert.equal(read(long).blocks[0]?.spans[0]?.start, '1544712660000000001');
    const wide = span
      .replace('GET /', 'x'.repeat(15_000_000))
      .replace('"1544712660000000001"', '1544712660000000001');
    assert.equal(read(wide).rejected, 1);
    const escaped = text.replace('GET /', '\\n'.repeat(7_000_000));
    assert.equal(read(escaped).rejected, 1);
  });
});
