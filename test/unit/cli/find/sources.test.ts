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

describe('what an id search may see', () => {
  it("is a dead letter's reason if it is not limited to a workspace, and else only the code", () => {
    const where = 'events could not process ingest.events/3 at 7: ROWS_REJECTED';
    assert.equal(letterDetail(letter, undefined), `${where}: row 4: a text of someone else (letter f00d)`);
    assert.equal(letterDetail(letter, 'shop'), `${where} (letter f00d)`);
  });

  it('is a record of the workspace with that id, and none that only quotes the id', () => {
    const isIt = ({ id }: { id: string }): boolean => id === 'a';
    const own = { id: 'a', workspace: 'shop' };
    assert.ok(isWanted(own, 'shop', isIt));
    assert.ok(isWanted(own, undefined, isIt));
    assert.ok(!isWanted(own, 'another', isIt));
    assert.ok(!isWanted({ ...own, id: 'b' }, undefined, isIt));
  });

  it('includes undecodable records only if it is not limited to a workspace', () => {
    assert.ok(isWanted(undefined, undefined));
    assert.ok(!isWanted(undefined, 'shop'));
  });
});
