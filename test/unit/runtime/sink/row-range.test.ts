import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  chainedRows,
  findRefused,
  rowJson,
  rowsJson,
  type SinkRecord,
} from '../../../../runtime/sink/row-range.js';

describe('a range of rows', () => {
  const at = (offset: number) => ({ topic: 't', partition: 2, offset });
  const row = (offset: number): SinkRecord => ({
    offset,
    kind: 'row',
    json: [rowJson({ text: 'a\n"b"' }, at(offset))],
    source: { key: null, value: null },
  });
  const dead = (offset: number): SinkRecord => ({
    offset,
    kind: 'dead',
    letter: { key: null, value: null, code: 'C', reason: 'r' },
  });

  it('is chained from row to row, over holes and dead letters', () => {
    const { ndjson, rows, last } = chainedRows([row(3), dead(4), row(7)], -1, 'r');
    const lines = ndjson.toString().trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line) as unknown),
      [
        { text: 'a\n"b"', _topic: 't', _partition: 2, _offset: 3, _run: 'r', _previous_offset: -1 },
        { text: 'a\n"b"', _topic: 't', _partition: 2, _offset: 7, _run: 'r', _previous_offset: 3 },
      ],
    );
    assert.equal(rows, 2);
    assert.equal(last, 7);
  });

  it('names the same predecessor in all rows of a record, and the place of each among them', () => {
    const several: SinkRecord = {
      offset: 9,
      kind: 'row',
      json: rowsJson([{ a: 1 }, '{"b":{"x":1,"x":2}}', '{}'], at(9)),
      source: { key: null, value: null },
    };
    const { ndjson, rows, last } = chainedRows([row(3), several, row(11)], -1, 'r');
    const provenance = '"_topic":"t","_partition":2,"_offset":9';
    assert.deepEqual(ndjson.toString().trimEnd().split('\n').slice(1, 4), [
      `{"a":1,${provenance},"_index":0,"_rows":3,"_run":"r","_previous_offset":3}`,
      `{"b":{"x":1,"x":2},${provenance},"_index":1,"_rows":3,"_run":"r","_previous_offset":3}`,
      `{${provenance},"_index":2,"_rows":3,"_run":"r","_previous_offset":3}`,
    ]);
    assert.deepEqual({ rows, last }, { rows: 5, last: 11 });
  });

  it('hands the chain on unchanged where it has no rows', () => {
    const none: SinkRecord = {
      offset: 5,
      kind: 'row',
      json: rowsJson([], at(5)),
      source: { key: null, value: null },
    };
    assert.deepEqual(chainedRows([dead(4), none], 3, 'r'), { ndjson: Buffer.alloc(0), rows: 0, last: 3 });
  });

  it('shows exactly the records that are refused, however they lie', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 200 }), async (bad) => {
        const items = bad.map((isBad, index) => ({ isBad, index }));
        const accepts = (part: readonly { isBad: boolean }[]): Promise<boolean> =>
          Promise.resolve(part.every(({ isBad }) => !isBad));
        const { refused, complete } = await findRefused(items, accepts, 1_000);
        assert.deepEqual(
          refused,
          items.filter(({ isBad }) => isBad),
        );
        assert.equal(complete, true);
      }),
    );
  });

  it('shows the first ones where more are refused than it may show', async () => {
    const items = [1, 2, 3, 4, 5];
    const { refused, complete } = await findRefused(items, () => Promise.resolve(false), 2);
    assert.deepEqual(refused, [1, 2]);
    assert.equal(complete, false);
  });
});
