import assert from 'node:assert/strict';
import { isOfCluster, refusalOf } from '../../../../../agent/integration/client/refusal.js';

const forbidden = (reason: string): object => ({
  error: { root_cause: [{ type: 'security_exception', reason }], type: 'security_exception', reason },
  status: 403,
});

describe('a refusal of a cluster', () => {
  it('names the action and the privileges that grant it, but no user or role', () => {
    const body = forbidden(
      'action [cluster:monitor/health] is unauthorized for user [anna] with effective roles [reader], ' +
        'this action is granted by the cluster privileges [monitor,manage,all]',
    );
    assert.deepEqual(refusalOf(body), {
      type: 'security_exception',
      action: 'cluster:monitor/health',
      grants: { of: 'cluster', privileges: ['monitor', 'manage', 'all'] },
    });
    assert.doesNotMatch(JSON.stringify(refusalOf(body)), /anna|reader/);
  });

  it('may be about indices, and about a key', () => {
    const body = forbidden(
      'action [indices:monitor/stats] is unauthorized for API key id [sUgX_aEBVTJk9WawkKIO] of user [elastic] ' +
        'on indices [a,b], this action is granted by the index privileges [monitor,manage,all]',
    );
    assert.equal(refusalOf(body).action, 'indices:monitor/stats');
    assert.deepEqual(refusalOf(body).grants, { of: 'index', privileges: ['monitor', 'manage', 'all'] });
  });

  it('says the same if the cluster gives no details of errors (http.detailed_errors.enabled is false)', () => {
    const reason =
      'action [cluster:monitor/health] is unauthorized for user [anna] with effective roles [reader], ' +
      'this action is granted by the cluster privileges [monitor,manage,all]';
    const simple = { error: `ElasticsearchSecurityException[${reason}]`, status: 403 };
    assert.deepEqual(refusalOf(simple), refusalOf(forbidden(reason)));
    for (const [error, type] of [
      ['MasterNotDiscoveredException[null]', 'master_not_discovered_exception'],
      ['ClusterBlockException[blocked by: [\n];]', 'cluster_block_exception'],
      ['IndexNotFoundException[no such index [a]]', 'index_not_found_exception'],
    ])
      assert.equal(refusalOf({ error }).type, type);
    assert.equal(isOfCluster({ error: 'No ElasticsearchException found', status: 400 }), true);
  });

  it('can lack the action and the privileges', () => {
    const nothing = { type: null, action: null, grants: null };
    for (const body of [
      '<html>',
      null,
      undefined,
      {},
      { error: 'Incorrect HTTP method', status: 405 },
      [1],
    ]) {
      assert.deepEqual(refusalOf(body), nothing);
    }
    assert.equal(
      refusalOf({ error: { type: 'master_not_discovered_exception' } }).type,
      'master_not_discovered_exception',
    );
  });
});
