import assert from 'node:assert/strict';
import fc from 'fast-check';
import { rangeOf, type RowRange } from '../../../../runtime/sink/row-range.js';
import type { SinkRecord } from '../../../../runtime/sink/sink-record.js';

const one = { topic: 't', partition: 2, run: 'r', indexed: false };
const several = { ...one, indexed: true };
const source = (offset: number) => ({ key: null, value: null, offset: String(offset), timestamp: '0' });
const row = (offset: number, ...json: readonly string[]): SinkRecord => ({
  offset,
  kind: 'row',
  json,
  source: source(offset),
});
const dead = (offset: number): SinkRecord => ({
  offset,
  kind: 'dead',
  letter: { key: null, value: null, code: 'C', reason: 'r' },
});
const linesOf = (range: RowRange): string[] => {
  const text = Buffer.concat(range.ndjson).toString();
  assert.ok(text === '' || text.endsWith('\n'));
  return text.split('\n').slice(0, -1);
};

describe('a range of rows', () => {
  const text = JSON.stringify({ text: 'a\n"b" äöü 🙂' });

  it('is chained from row to row, over holes and dead letters', () => {
    const range = rangeOf(one, -1, [row(3, text), dead(4), row(7, text)]);
    assert.deepEqual(
      linesOf(range).map((line) => JSON.parse(line) as unknown),
      [
        { text: 'a\n"b" äöü 🙂', _topic: 't', _partition: 2, _offset: 3, _run: 'r', _previous_offset: -1 },
        { text: 'a\n"b" äöü 🙂', _topic: 't', _partition: 2, _offset: 7, _run: 'r', _previous_offset: 3 },
      ],
    );
    const { rows, records, last, end } = range;
    assert.deepEqual({ rows, records, last, end }, { rows: 2, records: 3, last: 7, end: 7 });
  });

  it('names the same predecessor in all rows of a record, and the place of each among them', () => {
    const range = rangeOf(several, -1, [
      row(3, text),
      row(9, '{"a":1}', '{"b":{"x":1,"x":2}}', '{}'),
      row(11, text),
    ]);
    const provenance = '"_topic":"t","_partition":2,"_offset":9';
    assert.deepEqual(linesOf(range).slice(1, 4), [
      `{"a":1,${provenance},"_index":0,"_rows":3,"_run":"r","_previous_offset":3}`,
      `{"b":{"x":1,"x":2},${provenance},"_index":1,"_rows":3,"_run":"r","_previous_offset":3}`,
      `{${provenance},"_index":2,"_rows":3,"_run":"r","_previous_offset":3}`,
    ]);
    assert.deepEqual([range.rows, range.last], [5, 11]);
  });

  it('hands the chain on unchanged where it has no rows', () => {
    const range = rangeOf(several, 3, [dead(4), row(5)]);
    assert.deepEqual(range.ndjson, []);
    assert.deepEqual([range.rows, range.last, range.end], [0, 3, 5]);
  });

  it('reaches over a record that it goes without, and chains past it', () => {
    const range = rangeOf(one, 3, [row(4, text)]);
    range.leaveOut(5);
    assert.deepEqual([range.rows, range.last, range.end], [1, 4, 5]);
    range.add(row(6, '{}'));
    assert.match(linesOf(range)[1] ?? '', /"_previous_offset":4}$/);
  });

  it('has every row whole, wherever the pieces of its bytes end', () => {
    // Sizes about those of the pieces and of what is measured before it is written, in one to three bytes a character.
    const size = fc.oneof(
      fc.nat({ max: 200 }),
      fc.integer({ min: 5_000, max: 17_000 }),
      fc.constantFrom(262_000, 349_000, 1_048_000, 1_100_000),
    );
    const letters = fc.constantFrom('a', 'ä', '€', '🙂', '\ud800', '"', '\n');
    const rows = fc.array(fc.tuple(size, letters), { maxLength: 12 });
    fc.assert(
      fc.property(rows, (drawn) => {
        const texts = drawn.map(([length, letter]) => JSON.stringify({ text: letter.repeat(length) }));
        const range = rangeOf(
          one,
          -1,
          texts.map((json, offset) => row(offset, json)),
        );
        assert.equal(
          range.length,
          range.ndjson.reduce((sum, piece) => sum + piece.length, 0),
        );
        const stored = linesOf(range).map((line) => (JSON.parse(line) as { text: string }).text);
        assert.ok(
          stored.length === drawn.length &&
            stored.every(
              (found, index) => found === (JSON.parse(texts[index] ?? '') as { text: string }).text,
            ),
        );
      }),
      { numRuns: 30 },
    );
  });
});
