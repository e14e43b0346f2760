import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { changedSearch, keptHref } from '../../../dashboard/src/shared/address.js';

describe('an address of the dashboard', () => {
  it('passes the range and the zone on to a link, and nothing else', () => {
    const here = '?last=7d&tz=local&q=ferry&cursor=r-1&paused=yes';
    assert.equal(keptHref('/traces', here), '/traces?last=7d&tz=local');
    assert.equal(keptHref('/traces/1?span=2', here), '/traces/1?span=2&last=7d&tz=local');
    assert.equal(keptHref('/traces', ''), '/traces');
  });

  it('keeps the range that a link has itself', () => {
    const here = '?last=7d&from=2026-01-01&to=2026-01-02&tz=utc';
    assert.equal(keptHref('/results?last=24h', here), '/results?last=24h&tz=utc');
  });

  it('changes only if a value changes, so that the history has no repeated step', () => {
    assert.equal(changedSearch('?q=ferry', { q: 'ferry' }), undefined);
    assert.equal(changedSearch('?q=ferry', { min_ms: '' }), undefined);
    assert.equal(changedSearch('?q=ferry', { q: '' }), '');
    assert.equal(changedSearch('?q=ferry', { q: 'lamp', last: '7d' }), 'q=lamp&last=7d');
  });

  it('leads back to the first page of a list if its filter or its range changes', () => {
    assert.equal(changedSearch('?cursor=r-1', { q: 'ferry' }), 'q=ferry');
    assert.equal(changedSearch('?cursor=r-1', { last: '7d' }), 'last=7d');
    assert.equal(changedSearch('?cursor=r-1', { tz: 'local' }), 'cursor=r-1&tz=local');
    assert.equal(changedSearch('?cursor=r-1', { paused: 'yes' }), 'cursor=r-1&paused=yes');
    assert.equal(changedSearch('?cursor=r-1', { cursor: 'r-2' }), 'cursor=r-2');
  });

  it('is followed by one kind of link alone', () => {
    const source = new URL('../../../../dashboard/src/', import.meta.url);
    const others = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.tsx') && name !== 'shared/link.tsx')
      .filter((name) =>
        /import \{[^}]*\bLink\b[^}]*\} from 'wouter'/.test(readFileSync(new URL(name, source), 'utf8')),
      );
    assert.deepEqual(others, []);
  });
});
