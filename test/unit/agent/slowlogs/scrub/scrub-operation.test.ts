import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LoggedOperation } from '../../../../../agent/slowlogs/parse/logged-operation.js';
import { isOpaque, opaque } from '../../../../../agent/slowlogs/opaque-ids.js';
import {
  scrubOperation,
  withheldOperation,
  type ScrubJob,
} from '../../../../../agent/slowlogs/scrub-operation.js';
import { scrubText } from '../../../../../agent/slowlogs/scrub/scrub-text.js';
import { cut } from '../../../../../agent/slowlogs/scrub/replacements.js';
import { parseSlowOperation } from '../../../../../schemas/slow-operations.js';

const search: LoggedOperation = {
  at: 1_763_708_898_601_000,
  kind: 'search',
  phase: 'query',
  level: 'warn',
  clusterUuid: null,
  clusterName: null,
  nodeId: null,
  nodeName: 'n1',
  index: 'orders',
  indexUuid: null,
  shard: 0,
  tookMs: 12.5,
  totalHits: 3,
  totalHitsAtLeast: false,
  searchType: 'QUERY_THEN_FETCH',
  totalShards: 1,
  stats: ['token=hunter2'],
  id: 'bob@example.com',
  routing: null,
  traceId: null,
  user: 'bob',
  source: '{"query":{"match":{"password":"hunter2"}}}',
};
const indexing: LoggedOperation = {
  ...search,
  kind: 'indexing',
  phase: 'index',
  id: 'alice@example.com',
  routing: 'alice',
  source: '{"password":"hunter2","name":"Zoë"}',
};

const job = (operation: LoggedOperation, limits: Partial<ScrubJob['limits']> = {}): ScrubJob => ({
  id: '0123456789abcdef0123456789abcdef',
  operation,
  cluster: { uuid: 'ZPqtMNDPRMSUuCkhIX8ZPQ', name: 'shop' },
  limits: {
    maxQueryLength: 2_000,
    maxSourceLength: 512,
    storeSource: false,
    queryText: 'scrubbed',
    ...limits,
  },
  digestKey: 'key',
});

describe('a scrubbed slow operation', () => {
  it('is valid at the edge, whatever its cluster is called', () => {
    const names = ['', 'x'.repeat(1_024), 'http://a:b@c.'.repeat(60), '\ud800', '__proto__', 'constructor'];
    for (const name of names) {
      const { cluster, ...rest } = job(search);
      const item = scrubOperation({ ...rest, cluster: { ...cluster, name } });
      assert.deepEqual(parseSlowOperation(item), { item }, name.slice(0, 20));
    }
  });

  it('is valid at the edge, and holds nothing that was to be hidden', () => {
    for (const operation of [search, indexing]) {
      for (const item of [
        scrubOperation(job(operation, { storeSource: true })),
        withheldOperation(job(operation), 'it took too long'),
      ]) {
        assert.ok('item' in parseSlowOperation(item));
        const text = JSON.stringify(item);
        for (const hidden of ['hunter2', 'bob', 'alice']) assert.ok(!text.includes(hidden), text);
      }
    }
  });

  it('keeps the size of a document and not the document, unless it was told to', () => {
    const kept = scrubOperation(job(indexing));
    assert.equal(kept.source, null);
    assert.equal(kept.source_bytes, 36);
    assert.equal(kept.query, null);
    const stored = scrubOperation(job(indexing, { storeSource: true, maxSourceLength: 30 }));
    assert.equal(stored.source, '{"password":"[redacted]","name');
    assert.equal(stored.source_cut, true);
  });

  it('says whether the size is that of the whole text, or of what the node has left of it', () => {
    const sizeAtLeast = (operation: LoggedOperation): boolean | null | undefined =>
      scrubOperation(job(operation)).size_at_least;
    assert.equal(sizeAtLeast(indexing), false);
    assert.equal(sizeAtLeast(search), false);
    assert.equal(sizeAtLeast({ ...indexing, source: null }), null);
    const whole = `{"list":[{"a":"${'b'.repeat(40)}"}],"number":12}`;
    for (let end = 1; end < whole.length; end += 1)
      assert.equal(sizeAtLeast({ ...indexing, source: whole.slice(0, end) }), true, whole.slice(0, end));
    assert.equal(withheldOperation(job({ ...indexing, source: '{"a":' }), 'it hung').size_at_least, true);
  });

  it('keeps no text of a query, or only its shape, if told to', () => {
    const query = (source: string, queryText: 'shape' | 'none'): string | null | undefined =>
      scrubOperation(job({ ...search, source }, { queryText })).query;
    assert.equal(query('{"query":{"match":{"title":"harbour"}}}', 'none'), null);
    const one =
      '{"size":10,"query":{"bool":{"filter":[{"terms":{"a":["x","y"]}},{"match":{"b":{"query":"t","operator":"AND"}}}]}},"sort":["c"]}';
    const other =
      '{ "size": 20, "query": {"bool":{"filter":[{"terms":{"a":["z"]}},{"match":{"b":{"query":"bob@example.com","operator":"AND"}}}]}}, "sort": ["c"]}';
    assert.equal(
      query(one, 'shape'),
      '{"size":?,"query":{"bool":{"filter":[{"terms":{"a":[?]}},{"match":{"b":{"query":?,"operator":"AND"}}}]}},"sort":["c"]}',
    );
    assert.equal(query(other, 'shape'), query(one, 'shape'));
    const long = one.replace(
      '["x","y"]',
      JSON.stringify(Array.from({ length: 20_000 }, (_, at) => `x${at}`)),
    );
    assert.equal(query(long, 'shape'), query(one, 'shape'));
    assert.equal(query('SELECT a FROM b', 'shape'), '?');
    assert.equal(query('{"query":{"term":{"a":"cut of', 'shape'), '{"query":{"term":{"a":?}}}');
  });

  for (const [maxQueryLength, window] of [
    [2_000, 32_768],
    [6_000, 48_000],
  ] as const)
    it(`scrubs the first ${window} characters of a long search to keep ${maxQueryLength}, and reads them as cut off`, () => {
      const nameOf = (at: number): string => `"password${String(at).padStart(3, '0')}":`;
      const values = Array.from({ length: 60 }, (_, at) => `${nameOf(at)}"${'hunter2'.repeat(140)}"`);
      const [begin, end] = ['{"term":{', '}}'];
      const source = `${begin}${values.join(',')}${end}`;
      const read = source.slice(0, window);
      const item = scrubOperation(job({ ...search, source }, { maxQueryLength }));
      assert.ok(!read.endsWith('"'), 'the window ends in a value');
      const names = values.map((_, at) => nameOf(at)).filter((name) => read.includes(name));
      assert.equal(item.query, `${begin}${names.map((name) => `${name}"[redacted]`).join('",')}`);
      assert.equal(item.query_cut, true);
      assert.equal(item.query_length, source.length);
    });

  it('keeps the first characters of a long search', () => {
    const source = `{"query":{"terms":{"password":["hunter2"],"a":[${'"blue",'.repeat(20_000)}"red"]}}}`;
    const item = scrubOperation(job({ ...search, source }, { maxQueryLength: 60 }));
    assert.equal(
      item.query,
      '{"query":{"terms":{"password":"[redacted]","a":["blue","blue","blue"'.slice(0, 60),
    );
    assert.equal(item.query_cut, true);
    assert.equal(item.query_length, source.length);
  });

  it('scrubs a window of a long group of statistics too', () => {
    const group = `${'blue '.repeat(40_000)}token=hunter2`;
    assert.deepEqual(scrubOperation(job({ ...search, stats: [group] })).stats, [group.slice(0, 200)]);
  });

  it('keeps the query, its length as logged, and how much was replaced', () => {
    const item = scrubOperation(job(search));
    assert.equal(item.query, '{"query":{"match":{"password":"[redacted]"}}}');
    assert.equal(item.query_length, search.source?.length);
    assert.equal(item.redactions, 2);
    assert.equal(item.cluster_name, 'shop');
  });

  it('keeps names of indices, nodes and clusters, but for credentials in them, and counts those', () => {
    const token = `dop_v1_${'0a1b2c3d4e5f6789'.repeat(4)}`;
    const leaking = {
      ...search,
      source: '{"query":{"match_all":{}}}',
      stats: ['nightly', 'token=hunter2', 'pwd=hunter2'],
      index: `logs-${token}`,
      nodeName: 'ghp_Zk3Qw9Xe7Rt5Yu1Io8Pa2Sd4Fg6Hj0Klabcd',
      clusterName: `shop ${token}`,
    };
    for (const operation of [leaking, { ...leaking, kind: 'indexing' as const }]) {
      const item = scrubOperation(job(operation));
      assert.equal(item.index, 'logs-[redacted]');
      assert.equal(item.node_name, '[redacted]');
      assert.equal(item.cluster_name, 'shop [redacted]');
      assert.deepEqual(item.stats, ['nightly', 'token=[redacted]', 'pwd=[redacted]']);
      assert.equal(item.redactions, 5);
      assert.equal(withheldOperation(job(operation), 'it hung').index, 'logs-[redacted]');
    }
    for (const name of [
      '.ds-logs-nginx.access-default-2026.11.22-000017',
      'partial-restored-.ds-metrics-system.cpu-default-2026.11.22-000017',
      '.internal.alerts-security.alerts-default-000001',
      '.kibana_task_manager_8.15.0_reindex_temp_001',
      'tokens-2026',
      'password-resets-v2',
      'session-key-7',
      'orders_7d444840-9dc0-41d1-b245-5ffdce74fad2',
      'instance-0000000012',
      'gke-prod-es-pool-1a2b3c4d-x7f9',
      'elasticsearch-es-default-0',
      '9f86d081884c',
      'ip-10-0-12-34.eu-west-1.compute.internal',
      'i-0a1b2c3d4e5f67890',
      '52.17.3.4',
      'aBcDeFg',
      'es-prod-eu1.example.com',
    ]) {
      const item = scrubOperation(
        job({ ...search, index: name, nodeName: name, clusterName: name, stats: [] }),
      );
      assert.deepEqual(
        [item.index, item.node_name, item.cluster_name, item.redactions],
        [name, name, name, 1],
      );
    }
  });

  it('hides the ids and the routings that a search looks for as it hides its own', () => {
    const generated = 's01HZ2QBk9jw4gtgaFtn';
    const hidden = opaque('bob@example.com', 'key');
    const sought = 'bob@example.com';
    for (const query of [
      { ids: { values: [generated, sought], boost: 1 } },
      { ids: { type: [], values: [sought, sought] } },
      { term: { _id: { value: sought, boost: 1 } } },
      { term: { _id: sought } },
      { terms: { _id: ['a', sought] } },
      { prefix: { _routing: { value: sought } } },
      { terms: { user: { index: 'users', id: generated, path: 'followers', routing: sought } } },
      { more_like_this: { like: [{ _index: 'i', _id: sought, routing: sought }] } },
      { multi_match: { query: sought, fields: ['_id'] } },
      { query_string: { query: `a:b AND _id:"${sought}"` } },
      { query_string: { query: `_routing:${sought} AND c:d` } },
    ]) {
      const source = JSON.stringify({ query });
      for (const text of [source, JSON.stringify({ q: source })]) {
        const item = scrubOperation(job({ ...search, source: text }));
        assert.ok(!item.query?.includes('bob'), `${text} ${item.query}`);
        assert.ok(item.query?.includes(hidden), `${text} ${item.query}`);
        assert.equal(item.query?.includes(generated), text.includes(generated), item.query ?? '');
        assert.equal(scrubText(item.query).text, item.query);
      }
      const isNamedFirst = source.search(/_id|routing|ids/) < source.indexOf(sought);
      for (let end = source.indexOf(sought) + 3; isNamedFirst && end < source.length; end += 1) {
        const { query: left } = scrubOperation(job({ ...search, source: source.slice(0, end) }));
        assert.ok(!left?.includes('bob'), left ?? '');
      }
    }
    const esql = 'FROM users METADATA _id | WHERE _id == "bob@example.com" | KEEP _id';
    assert.equal(
      scrubOperation(job({ ...search, source: JSON.stringify({ query: esql }) })).query,
      JSON.stringify({ query: esql.replace('bob@example.com', hidden) }),
    );
    assert.equal(
      scrubOperation(job({ ...search, source: '{"term":{"_id":{"value":4711,"boost":1.0}}}' })).query,
      `{"term":{"_id":{"value":"${opaque('4711', 'key')}","boost":1.0}}}`,
    );
    for (const source of [
      `{"query":{"ids":{"values":["${generated}"]}}}`,
      '{"query":{"terms":{"ids":["bob","4"]}}}',
      '{"query":{"term":{"order_id":{"value":"4711"}}}}',
      '{"sort":["_doc",{"_id":{"order":"asc"}}],"_source":{"excludes":["_id"]}}',
    ])
      assert.equal(scrubOperation(job({ ...search, source })).query, source);
  });
});

describe('an id', () => {
  it('that says nothing of anybody stays as it is', () => {
    for (const id of [
      '7d444840-9dc0-41d1-b245-5ffdce74fad2',
      '7d4448409dc041d1b2455ffdce74fad2',
      '0190163d8694739baea5966c26f8ad91', // version 7
      's01HZ2QBk9jw4gtgaFtn',
      'KUyMZWQBk9jw4gtg2y5-',
      '3T23CoMBFSKrNP-ROAZr',
      '_YRSm34B7FprLQsj6fZg',
      'AtF5QvIATyu1w2_FUAYsmA',
    ]) {
      assert.equal(opaque(id, 'key'), id);
    }
  });

  it('that might say something about somebody becomes a digest, the same under the same key', () => {
    for (const id of [
      'alice@example.com',
      'c160f8cc69a4f0bf2b0362752353d060', // MD5 of the above
      'order-1',
      '42',
      'alice_smith_19840102',
      'maria.garcia-lopez-79',
    ]) {
      assert.match(opaque(id, 'key'), /^hmac-[0-9a-f]{24}$/);
      assert.equal(opaque(id, 'key'), opaque(id, 'key'));
      assert.notEqual(opaque(id, 'key'), opaque(id, 'other'));
    }
    assert.ok(!isOpaque('alice_smith_19840102'));
  });
});

describe('a cut', () => {
  it('never exceeds the limit, and never splits a replacement or a character', () => {
    const part = fc.constantFrom('{"password":"x"}', ' token=abc ', 'plain ', '😀', '"');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), fc.integer({ min: 1, max: 120 }), (parts, limit) => {
        const whole = scrubText(parts.join(''));
        const { text, wasCut } = cut(whole, limit);
        assert.ok(text.length <= limit && whole.text.startsWith(text));
        assert.equal(wasCut, text !== whole.text);
        assert.doesNotMatch(text, /\[(?:r(?:e(?:d(?:a(?:c(?:t(?:ed?)?)?)?)?)?)?)?$/);
        assert.ok(text.isWellFormed());
      }),
    );
  });
});
