import assert from 'node:assert/strict';
import { placeIn } from '../../../dashboard/src/shared/place-in.js';

describe('the place of a page in the list that led to it', () => {
  const hrefs = ['/traces/a?span=1', '/traces/a?span=2', '/traces/b?span=3', '/results/c'];

  it('is that of the row, if several rows lead to one page', () => {
    assert.equal(placeIn(hrefs, '/traces/a?span=2'), 1);
    assert.equal(placeIn(hrefs, '/results/c'), 3);
  });

  it('stays while something else of the page is chosen', () => {
    assert.equal(placeIn(hrefs, '/traces/a?span=9', 1), 1);
    assert.equal(placeIn(hrefs, '/traces/b?span=9', 1), 2);
    assert.equal(placeIn(hrefs, '/traces/z?span=9', 1), -1);
  });
});
