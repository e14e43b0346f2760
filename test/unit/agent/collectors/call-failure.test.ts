import assert from 'node:assert/strict';
import { failureOf } from '../../../../agent/collectors/call-failure.js';
import { healthCollector } from '../../../../agent/collectors/sections/health.js';
import { answered, collectFrom } from '../../../support/stub-collection.js';

/** The answer of 9.4.3, with made-up ids. */
const refused = (tried: string): object => {
  const said = {
    type: 'security_exception',
    reason:
      'unable to authenticate with provided credentials and anonymous access is not allowed for this request',
    additional_unsuccessful_credentials: `API key: ${tried}`,
  };
  return { error: { root_cause: [said], ...said }, status: 401 };
};

describe('a refusal of credentials', () => {
  it('is final if the cluster does not know them', () => {
    for (const body of [refused('unable to find apikey with id abc'), {}, 'Unauthorized']) {
      assert.equal(failureOf({ status: 401, body, bytes: 0 })?.kind, 'unauthorized');
    }
  });

  it('is not final if a node that is starting could not look the key up: the next interval tries again', () => {
    const body = refused('apikey authentication for id abc encountered a failure');
    const failure = failureOf({ status: 401, body, bytes: 0 });
    assert.equal(failure?.kind, 'broken');
    assert.match(failure.reason, /could not check the API key \(401\): it may still be starting/);
    assert.doesNotMatch(failure.reason, /abc/);
  });

  it('is not final within a section either', async () => {
    const body = refused('apikey authentication for id abc encountered a failure');
    const outcome = await collectFrom(healthCollector, () => answered(401, body));
    assert.ok(!outcome.ok);
    assert.equal(outcome.failure.kind, 'broken');
  });
});

describe('a call that is forbidden', () => {
  const answer = (type: string) => ({ status: 403, body: { error: { type }, status: 403 }, bytes: 0 });

  it('lacks a privilege', () => {
    assert.equal(failureOf(answer('security_exception'))?.kind, 'forbidden');
    const simple = { error: 'ElasticsearchSecurityException[action [a] is unauthorized]', status: 403 };
    assert.equal(failureOf({ status: 403, body: simple, bytes: 0 })?.kind, 'forbidden');
  });

  it('names the privileges that grant it, however many indices the cluster names before', () => {
    const indices = Array.from({ length: 200 }, (_, number) => `logs-2026.11.${number}`).join(',');
    const reason = `action [indices:monitor/stats] is unauthorized for user [anna] with effective roles [r] on indices [${indices}], this action is granted by the index privileges [monitor,manage,all]`;
    const body = { error: { type: 'security_exception', reason }, status: 403 };
    assert.equal(
      failureOf({ status: 403, body, bytes: 0 })?.reason,
      'the action indices:monitor/stats is not allowed; the index privileges monitor,manage,all grant it',
    );
  });

  it('lacks no privilege if it meets a block, which can be lifted at any time: the next interval tries again', () => {
    const failure = failureOf(answer('cluster_block_exception'));
    assert.equal(failure?.kind, 'broken');
    assert.match(failure.reason, /a block .* forbids it/);
  });
});

describe('a cluster that gives no details of errors', () => {
  const kindOf = (status: number, error: string) =>
    failureOf({ status, body: { error, status }, bytes: 0 })?.kind;

  it('has no master only if it says so, and a block of it is no missing privilege', () => {
    assert.equal(kindOf(503, 'MasterNotDiscoveredException[null]'), 'no_master');
    assert.equal(kindOf(403, 'ClusterBlockException[blocked by: [FORBIDDEN/12];]'), 'broken');
    assert.equal(kindOf(404, 'No ElasticsearchException found'), 'missing');
  });
});

describe('an answer of a proxy in front of the cluster', () => {
  const kindOf = (status: number, body: unknown) => failureOf({ status, body, bytes: 0 })?.kind;

  it('stops no section for long: the next interval tries again', () => {
    const pages = [
      '<html>default backend</html>',
      'Forbidden',
      '',
      {},
      null,
      { message: 'no Route matched' },
    ];
    const errors = [{ error: 'Not Found', status: 404 }, { error: { code: 404, message: 'unknown' } }];
    for (const status of [403, 404, 405, 410])
      for (const body of [...pages, ...errors])
        assert.equal(kindOf(status, body), 'broken', `${status} ${JSON.stringify(body)}`);
    const { reason } = failureOf({ status: 404, body: pages[0], bytes: 0 }) ?? {};
    assert.match(reason ?? '', /the 404 does not come from the cluster: is there a proxy/);
  });

  it('is distinguished from the answer of a version without the API, which is retried slowly', () => {
    const unknown = { error: { type: 'invalid_index_name_exception' }, status: 400 };
    const gone = { error: { root_cause: [{ type: 'api_not_available_exception' }] }, status: 410 };
    const method = 'Incorrect HTTP method for uri [/_data_stream/_stats] and method [GET], allowed: [POST]';
    assert.equal(kindOf(400, unknown), 'missing');
    assert.equal(kindOf(404, { error: { type: 'resource_not_found_exception' } }), 'missing');
    assert.equal(kindOf(404, { error: 'IndexNotFoundException[no such index]', status: 404 }), 'missing');
    assert.equal(kindOf(405, { error: method, status: 405 }), 'missing');
    assert.equal(kindOf(410, gone), 'missing');
  });
});
