import assert from 'node:assert/strict';
import { deadLetterRecord } from '../../../../runtime/dead-letters/dead-letter.js';

const letter = {
  topic: 'ingest.events',
  partition: 1,
  offset: 2,
  key: null,
  value: Buffer.from('bytes'),
  stage: 'events',
  code: 'ROWS_REJECTED',
  reason: 'a column is missing',
};
const attempts = (headers?: Record<string, string>): string | undefined =>
  deadLetterRecord({ ...letter, headers }).headers?.['telltale-attempts'];

describe('a dead letter', () => {
  it('says how often its record has failed, replays included', () => {
    assert.equal(attempts(), '1');
    assert.equal(attempts({ 'telltale-attempts': '1' }), '2');
    assert.equal(attempts({ 'telltale-attempts': 'a lot' }), '1');
  });
});
