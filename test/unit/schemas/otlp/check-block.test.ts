import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkBlock } from '../../../../schemas/otlp/check-block.js';
import { readTraces } from '../../../../schemas/otlp/read-request.js';
import { otlpRequest } from '../../../support/otlp-arbitrary.js';
import { runs } from '../../../support/properties.js';

const span = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), start: '1', end: '2' };
const block = (changes: object = {}, ofSpan: object = {}) => ({
  application: 'shop',
  spans: [{ ...span, ...ofSpan }],
  ...changes,
});
const reasonOf = (item: unknown): string => {
  const checked = checkBlock(item);
  return 'reason' in checked ? checked.reason : '';
};
const attributes = (types: string, count: number): object => ({
  attributes: { types, keys: Array(count).fill('k'), values: Array(count).fill('v') },
});

describe('a block of spans, as the edge checks it', () => {
  it('is valid if the agent made it from a request', () => {
    fc.assert(
      fc.property(otlpRequest, (request) => {
        for (const made of readTraces(Buffer.from(JSON.stringify(request))).blocks)
          assert.equal(reasonOf(JSON.parse(JSON.stringify(made))), '');
      }),
      { numRuns: runs(50) },
    );
  });

  it('can have nested values', () => {
    assert.equal(reasonOf(block({}, attributes('sa(ik(da()))n', 3))), '');
  });

  const bad: readonly (readonly [string, unknown, RegExp])[] = [
    ['no object', [], /must be a JSON object/],
    ['without an application', block({ application: '' }), /^application/],
    ['without spans', block({ spans: [] }), /^spans/],
    ['with a resource that is none', block({ resource: 'r' }), /^resource/],
    ['with a scope of a wrong form', block({ scope: { name: 1 } }), /^scope\.name/],
    ['with a span that is none', block({ spans: [1] }), /^spans\[0\]\./],
    ['with a trace id in capitals', block({}, { trace_id: 'A'.repeat(32) }), /^spans\[0\]\.trace_id/],
    ['with a span id of zeros', block({}, { span_id: '0'.repeat(16) }), /^spans\[0\]\.span_id/],
    ['with a parent that is empty', block({}, { parent_span_id: '' }), /parent_span_id/],
    ['with a time as a number', block({}, { start: 1 }), /start/],
    ['with a time after 2262', block({}, { end: '9223372036854775808' }), /end/],
    ['with a kind that is a fraction', block({}, { kind: 1.5 }), /kind/],
    ['with flags of 33 bits', block({}, { flags: 2 ** 32 }), /flags/],
    ['with half of a surrogate pair', block({}, { name: '\ud800' }), /name/],
    ['with more letters than values', block({}, attributes('ss', 1)), /one letter per value/],
    ['with fewer letters than values', block({}, attributes('s', 2)), /one letter per value/],
    ['with a letter that means nothing', block({}, attributes('x', 1)), /one letter per value/],
    ['with a parenthesis too few', block({}, attributes('a(s', 1)), /one letter per value/],
    ['with a parenthesis too many', block({}, attributes('s)', 1)), /one letter per value/],
    [
      'with more keys than values',
      block({}, { attributes: { types: 's', keys: ['k'], values: [] } }),
      /as many keys/,
    ],
    [
      'with a value that is no text',
      block({}, { attributes: { types: 'i', keys: ['k'], values: [1] } }),
      /all texts/,
    ],
    ['with events that are no list', block({}, { events: {} }), /events must be an array/],
    ['with an event without a time', block({}, { events: [{}] }), /events\.time/],
    ['with a link to no id', block({}, { links: [{ trace_id: 'x', span_id: '' }] }), /links\.trace_id/],
  ];
  for (const [what, item, reason] of bad)
    it(`is refused ${what}`, () => {
      assert.match(reasonOf(item), reason);
    });
});
