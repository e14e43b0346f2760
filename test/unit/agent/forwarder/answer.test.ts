import assert from 'node:assert/strict';
import { retryAfterMs, verdictOn, type Verdict } from '../../../../agent/forwarder/answer.js';
import type { ProblemKind } from '../../../../runtime/http/problem.js';
import { refusal } from '../../../support/stub-server.js';

const verdict = (status: number, body = '', retryAfter?: string): string =>
  verdictOn({ status, body, retryAfter }, 0).kind;
const onProblem = (kind: ProblemKind, detail = 'no'): Verdict => {
  const { status, body = '' } = refusal(kind, detail);
  return verdictOn({ status, body, retryAfter: undefined }, 0);
};

describe('an answer of the server', () => {
  it('means that the batch has arrived only if it says so', () => {
    assert.equal(verdict(200, '{"accepted":3,"rejected":[]}'), 'arrived');
    for (const body of ['', 'welcome to the hotel network', '{"ok":true}', 'null'])
      assert.equal(verdict(200, body), 'blocked', body);
  });

  it('makes a batch final only if the server itself says that no retry can succeed', () => {
    assert.equal(onProblem('invalid').kind, 'never');
    assert.equal(onProblem('conflict').kind, 'other-spool');
    for (const body of ['', '<h1>400 The plain HTTP request was sent to HTTPS port</h1>', '{"detail":"no"}'])
      for (const status of [301, 302, 204, 400, 401, 402, 403, 404, 405, 409, 415, 422])
        assert.equal(verdict(status, body), 'blocked', `${status} ${body}`);
    for (const kind of ['malformed-request', 'malformed-body', 'not-found'] as const)
      assert.equal(onProblem(kind).kind, 'blocked', kind);
  });

  it('can ask for smaller batches, and the verdict says whether the server itself does', () => {
    const tooBig = (isServers: boolean, reason: string): Verdict => ({ kind: 'too-big', isServers, reason });
    assert.deepEqual(onProblem('body-too-large'), tooBig(true, '413: no'));
    assert.deepEqual(verdictOn({ status: 413, body: '', retryAfter: undefined }, 0), tooBig(false, '413'));
  });

  it('lets a batch be sent again if its id did not reach the server', () => {
    const found = onProblem('malformed-request', '`Batch-Id` must be `<spool uuid>/<sequence>`.');
    assert.equal(found.kind, 'later');
  });

  it('lets a batch wait if a retry can succeed', () => {
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

  it('gives the time of the retry in seconds or as a date, which is limited to ten minutes', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    assert.equal(retryAfterMs('2', now), 2_000);
    assert.equal(retryAfterMs('Thu, 01 Jan 2026 00:00:05 GMT', now), 5_000);
    assert.equal(retryAfterMs('Wed, 31 Dec 2025 00:00:05 GMT', now), 0);
    assert.equal(retryAfterMs('86400', now), 600_000);
    assert.equal(retryAfterMs('soon', now), undefined);
  });
});
