import assert from 'node:assert/strict';
import fc from 'fast-check';
import { allowedCall } from '../../../../../agent/integration/client/allow-list.js';
import { runs } from '../../../../support/properties.js';

describe('the list of calls to a search cluster', () => {
  it('has what the collectors ask', () => {
    for (const path of [
      '/',
      '/_cluster/health?level=shards',
      '/_cluster/health/orders-1,orders-2?level=shards',
      '/_nodes/s01HZ2QBk9jw4gtgaFtn/stats/jvm/search',
      '/_nodes/s01HZ2QBk9jw4gtgaFtn,n_2-x/stats/jvm/search',
      '/_nodes/_01HZ2QBk9jw4gtgaFtnXQ/stats/jvm/search',
      '/_nodes/stats/jvm,os,fs,thread_pool,breaker/search,indexing?filter_path=nodes.*.jvm',
      '/_cat/shards?format=json&h=index,shard',
      '/orders-2026.11,.kibana_1,caf%C3%A9/_stats/docs?level=indices',
      '/_all/_settings/index.*.slowlog.*?flat_settings=true',
      '/_tasks?actions=*reindex,*byquery&detailed',
      '/_nodes/hot_threads',
      '/_data_stream/_stats',
    ]) {
      assert.notEqual(allowedCall('GET', path), undefined, path);
    }
    assert.equal(allowedCall('POST', '/_cluster/allocation/explain'), 'POST /_cluster/allocation/explain');
  });

  it('has nothing that reads the cluster state, searches, or changes anything', () => {
    for (const path of [
      '/_cluster/state',
      '/_cluster/state/master_node',
      '/_cluster/state/_all/orders',
      '/_cluster/reroute',
      '/_search',
      '/orders',
      '/orders/_search',
      '/orders/_doc/1',
      '/orders/_flush',
      '/_all',
      '/_all/_settings',
      '/orders/_settings',
      '/orders/_settings/_search',
      '/orders/_settings/index._search',
      '/_nodes/_search/hot_threads',
      '/_nodes/n1,_search/stats/jvm/search',
      '/_nodes/n1/hot_threads',
      '/_cat/nodes',
      '/_stats',
      '/_stats/docs,store',
      '/orders/_stats',
      '/_cache/clear',
      '/orders/_forcemerge',
      '/_security/user',
      '/_snapshot',
      '/_tasks/_cancel',
      '/_tasks/node:1',
      '/_cat',
      '/_cat/../_cluster/state',
      '/_cluster/health/../state',
      '/../_cluster/state',
      '/./_stats/docs',
      '/../_stats/docs',
      '/%2e%2e/_stats/docs',
      '/a%2F..%2F..%2F_cluster%2Fstate%3F/_stats/docs',
      '/a%252e/_stats/docs',
      '/a\\..\\_cluster/state/_stats',
      '//_cluster/state',
      '/_cluster/health#/../state',
      '/_cluster/health\r\nGET /_cluster/state',
      '/_cluster/health HTTP/1.1',
      'http://elsewhere.example.org/_cluster/health',
      '_cluster/health',
      '',
    ]) {
      assert.equal(allowedCall('GET', path), undefined, JSON.stringify(path));
    }
    assert.equal(allowedCall('GET', '/_cluster/allocation/explain'), undefined);
  });

  it('knows no method but GET, and the one POST', () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'get', 'TRACE']) {
      for (const path of ['/', '/_cluster/health', '/_tasks', '/_cluster/settings', '/orders/_stats']) {
        assert.equal(allowedCall(method, path), undefined, `${method} ${path}`);
      }
      if (method === 'POST') continue;
      assert.equal(allowedCall(method, '/_cluster/allocation/explain'), undefined);
    }
  });

  it('allows no other API, whatever the text of the path', () => {
    const piece = fc.constantFrom(
      ...[
        '/',
        '_cluster',
        'state',
        '_stats',
        '_search',
        'orders',
        '..',
        '.',
        '%2e',
        '%2F',
        '%5c',
        '*',
        ',',
        '_all',
      ],
      ...[
        '_settings',
        'index.*',
        '_nodes',
        'stats',
        '_doc',
        '?',
        '#',
        '\\',
        ' ',
        '\n',
        '\u0000',
        'é',
        '%',
        'hot_threads',
      ],
    );
    const read = new Set([
      '_stats',
      '_settings',
      '_nodes',
      '_cluster',
      '_cat',
      '_recovery',
      '_tasks',
      '_data_stream',
    ]);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const target = `/${pieces.join('')}`;
        if (allowedCall('GET', target) === undefined) return;
        // The path that a normalising proxy or server would see.
        const { pathname } = new URL(decodeURIComponent(target.split('?')[0] ?? ''), 'http://cluster');
        assert.equal(decodeURIComponent(pathname), decodeURIComponent(target.split('?')[0] ?? ''));
        const segments = pathname.split('/').filter((segment) => segment !== '');
        const apis = segments.filter((segment) => segment.startsWith('_') && segment !== '_all');
        assert.ok(apis.length <= 2 && apis.every((api) => read.has(api)), target);
        assert.equal(segments[0] === '_cluster' && segments[1] === 'state', false);
      }),
      { numRuns: runs(2_000) },
    );
  });
});
