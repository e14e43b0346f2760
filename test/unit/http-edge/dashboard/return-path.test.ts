import assert from 'node:assert/strict';
import { returnPathOf } from '../../../../http-edge/dashboard/oidc/return-path.js';

describe('where a sign-in by an identity provider leads', () => {
  it('is the page that was asked for, with its filter', () => {
    const page = '/ui/results?q=a%20ferry&last=7d';
    assert.equal(returnPathOf(page), page);
  });

  it('is the first page if none was asked for', () => assert.equal(returnPathOf(null), '/ui/'));

  for (const asked of [
    ...['https://example.com/ui/', '//example.com/ui/', '/\\example.com/ui/', 'javascript:alert(1)'],
    ...['/ui', '/ui/../', '/ui/..//example.com', '/ui/%2e%2e//example.com', '/ui/..\\/example.com', ''],
    ...['/ui/api/session', '/ui/./api/oidc/sign-in', '/api/v1/keys', ` /ui/`, 'ui/results'],
    `/ui/results?q=${'a'.repeat(2_000)}`,
  ])
    it(`is the first page and never ${asked.slice(0, 40)}`, () => assert.equal(returnPathOf(asked), '/ui/'));

  it('holds no character that ends a header', () => {
    assert.equal(returnPathOf('/ui/\r\nset-cookie: a=b'), '/ui/set-cookie:%20a=b');
    assert.equal(returnPathOf('/ui/\t/example.com'), '/ui//example.com');
  });
});
