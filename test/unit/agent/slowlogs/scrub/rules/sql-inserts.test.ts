import assert from 'node:assert/strict';
import { sqlInserts } from '../../../../../../agent/slowlogs/scrub/rules/sql-inserts.js';
import { spanOf } from '../../../../../../agent/slowlogs/scrub/span.js';
import { viewOf } from '../../../../../../agent/slowlogs/scrub/view.js';

describe('the rows that SQL inserts where a column is a credential', () => {
  const insert = 'insert into users (name, password) values ';

  /** What is found in the rows behind an insert. */
  const found = (rows: string): readonly string[] =>
    sqlInserts.find(viewOf(insert + rows)).map(({ start, end }) => (insert + rows).slice(start, end));

  it('are taken one behind the other, whatever their strings hold', () => {
    assert.deepEqual(found(`('bob', 'x(y)'), ("eve", 'it''s')  (1,2)`), [
      `'bob', 'x(y)'`,
      `"eve", 'it''s'`,
      '1,2',
    ]);
  });

  it('are taken as far as they go where they are cut off', () => {
    assert.deepEqual(found(`('bob', 'hunt`), [`'bob', 'hunt`]);
    assert.deepEqual(found('(1, 2), (3'), ['1, 2', '3']);
  });

  it('end where something else begins', () => {
    assert.deepEqual(found('(1, 2); (3, 4)'), ['1, 2']);
    assert.deepEqual(found('(1, lower(2))'), []);
  });

  it('are taken however long one of them is', () => {
    const spans = sqlInserts.find(viewOf(`${insert}(${'a'.repeat(20_000_000)}`));
    assert.deepEqual(spans, [spanOf(insert.length + 1, insert.length + 20_000_001)]);
  });
});
