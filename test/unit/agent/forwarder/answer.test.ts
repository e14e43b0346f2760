import assert from 'node:assert/strict';
import { retryAfterMs, verdictOn } from '../../../../agent/forwarder/answer.js';

const verdict = (status: number, body = '', retryAfter?: string): string =>
  verdictOn({ status, body, retryAfter }, 0).kind;

describe('an answer of the server', () => {
  it('has let the batch arrive only where it says so', () => {
    assert.equal(verdict(200, '{"accepted":3,"rejected":[]}'), 'arrived');
    for (const body of ['', 'welcome to the hotel network', '{"ok":true}', 'null'])
      assert.equal(verdict(200, body), 'blocked', body);
  });

  it('ends a batch only where no later try can pass', () => {
    for (const status of [400, 422]) assert.equal(verdict(status), 'never');
    assert.equal(verdict(413), 'too-big');
    assert.equal(verdict(409), 'other-spool');
    for (const status of [401, 402, 403, 404, 405, 301, 302, 415, 204])
      assert.equal(verdict(status), 'blocked', `${status}`);
    for (const status of [408, 425, 429, 500, 502, 503, 504])
      assert.equal(verdict(status), 'later', `${status}`);
  });

  it('gives the detail of a problem as the reason, and never the whole of a long body', () => {
    const found = verdictOn(
      { status: 503, body: JSON.stringify({ detail: 'x'.repeat(10_000) }), retryAfter: undefined },
      0,
    );
    assert.ok(found.kind === 'later' && found.reason.length < 600);
  });

  it('says when to come back in seconds or as a date, and nobody waits for a day', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    assert.equal(retryAfterMs('2', now), 2_000);
    assert.equal(retryAfterMs('Thu, 01 Jan 2026 00:00:05 GMT', now), 5_000);
    assert.equal(retryAfterMs('Wed, 31 Dec 2025 00:00:05 GMT', now), 0);
    assert.equal(retryAfterMs('86400', now), 600_000);
    assert.equal(retryAfterMs('soon', now), undefined);
  });
});
