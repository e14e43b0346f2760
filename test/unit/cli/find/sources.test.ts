import assert from 'node:assert/strict';
import { isWanted, letterDetail } from '../../../../cli/find/sources.js';

const letter = {
  id: 'f00d',
  topic: 'ingest.events',
  partition: 3,
  offset: 7,
  stage: 'events',
  code: 'ROWS_REJECTED',
  reason: 'row 4: a text of someone else',
  attempts: 1,
  at: 0,
  key: null,
  value: null,
};

describe('what a question may see', () => {
  it('is the reason of a dead letter for who sees everything, and its code for a workspace', () => {
    const where = 'events could not take ingest.events/3 at 7: ROWS_REJECTED';
    assert.equal(letterDetail(letter, undefined), `${where}: row 4: a text of someone else (letter f00d)`);
    assert.equal(letterDetail(letter, 'shop'), `${where} (letter f00d)`);
  });

  it('is a record of the workspace that has the id, and none that quotes it', () => {
    const isIt = ({ id }: { id: string }): boolean => id === 'a';
    const own = { id: 'a', workspace: 'shop' };
    assert.ok(isWanted(own, 'shop', isIt));
    assert.ok(isWanted(own, undefined, isIt));
    assert.ok(!isWanted(own, 'another', isIt));
    assert.ok(!isWanted({ ...own, id: 'b' }, undefined, isIt));
  });

  it('includes undecodable records only for those who may see everything', () => {
    assert.ok(isWanted(undefined, undefined));
    assert.ok(!isWanted(undefined, 'shop'));
  });
});
