import assert from 'node:assert/strict';
import { slowRow } from '../../../dashboard/src/pages/cluster/slow-row.js';
import { csvOf } from '../../../dashboard/src/shared/csv.js';

describe('a CSV file', () => {
  it('quotes texts, leaves numbers as they are, and has empty fields for unknown values', () => {
    assert.equal(
      csvOf([
        { name: 'a "b", c', ms: 1.5, score: null },
        { name: 'two\nlines', ms: -3, score: 0 },
      ]),
      '"name","ms","score"\r\n"a ""b"", c",1.5,\r\n"two\nlines",-3,0\r\n',
    );
  });

  it('has no text that a spreadsheet would take for a formula', () => {
    assert.equal(
      csvOf([{ name: '=HYPERLINK("http://example.com")' }]).split('\r\n')[1],
      `"'=HYPERLINK(""http://example.com"")"`,
    );
  });

  it('says who asked a slow operation, as the page does', () => {
    const asked = { opaque_id: 'checkout', user: 'ferry', trace_id: 'a1' };
    const row = slowRow({ ...asked, query: null } as Parameters<typeof slowRow>[0]);
    assert.deepEqual({ opaque_id: row.opaque_id, user: row.user, trace_id: row.trace_id }, asked);
  });
});
