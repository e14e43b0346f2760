import assert from 'node:assert/strict';
import type { LoggedOperation } from '../../../../../agent/slowlogs/parse/logged-operation.js';
import { parseEntry } from '../../../../../agent/slowlogs/parse/parse.js';

const utc = (): number => 0;

function operationIn(text: string): LoggedOperation {
  const parsed = parseEntry(text, utc);
  assert.equal(parsed.is, 'operation', 'reason' in parsed ? parsed.reason : parsed.is);
  return (parsed as { operation: LoggedOperation }).operation;
}

const micros = (iso: string): number => Date.parse(iso) * 1_000;

describe('an entry of a plain slow log', () => {
  it('of 6.3, with its full logger', () => {
    const operation = operationIn(
      '[2018-06-29T10:06:14,933][INFO ][index.search.slowlog.query] [v_VJhjV] [logs-2018.06.26][3] took[4.5ms], took_millis[4], total_hits[19435], types[], stats[], search_type[QUERY_THEN_FETCH], total_shards[5], source[{"query":{"terms":{"a":["x","y"]}}}],',
    );
    assert.deepEqual(operation, {
      at: micros('2018-06-29T10:06:14.933Z'),
      kind: 'search',
      phase: 'query',
      level: 'info',
      clusterUuid: null,
      clusterName: null,
      nodeId: null,
      nodeName: 'v_VJhjV',
      index: 'logs-2018.06.26',
      indexUuid: null,
      shard: 3,
      tookMs: 4.5,
      totalHits: 19435,
      totalHitsAtLeast: false,
      searchType: 'QUERY_THEN_FETCH',
      totalShards: 5,
      stats: [],
      id: null,
      routing: null,
      traceId: null,
      user: null,
      source: '{"query":{"terms":{"a":["x","y"]}}}',
    });
  });

  it('of a node whose name has a blank', () => {
    const head = '[2026-11-21T07:08:20,922][WARN ][i.s.s.fetch] ';
    assert.equal(operationIn(`${head}[my node] [orders][1] took[75.4ms]`).nodeName, 'my node');
    assert.equal(operationIn(`${head}[orders][1] took[75.4ms]`).nodeName, null);
  });

  it('of 7.x, with a short logger, hits in words and the opaque id behind the source', () => {
    const operation = operationIn(
      '[2026-11-21T07:08:20,922][WARN ][i.s.s.fetch              ] [n1] [orders][1] took[75.4ms], took_millis[75], total_hits[10000+ hits], types[], stats[front, back], search_type[QUERY_THEN_FETCH], total_shards[2], source[{"size":3}], id[job-7], ',
    );
    assert.equal(operation.phase, 'fetch');
    assert.equal(operation.totalHits, 10_000);
    assert.equal(operation.totalHitsAtLeast, true);
    assert.deepEqual(operation.stats, ['front', 'back']);
    assert.equal(operation.source, '{"size":3}');
    assert.equal(operation.id, 'job-7');
  });

  it('of a snapshot of 8.0.0, whose names have no prefix', () => {
    const operation = operationIn(
      String.raw`{"@timestamp":"2020-04-16T11:25:41.157Z", "log.level":"WARN",  "id":"job-7","message":"[orders][3]","search_type":"QUERY_THEN_FETCH","source":"{\\\"size\\\":3}","stats":"[\\\"front\\\"]","took":"12.5ms","took_millis":"12","total_hits":"7 hits","total_shards":"2" , "ecs.version": "1.2.0","service.name":"ES_ECS","event.dataset":"elasticsearch.index_search_slowlog","log.logger":"index.search.slowlog.query","cluster.uuid":"0d2MZYNKR7Wqr2U6Cvpp7g","node.id":"a8BUD2RfQSu4aqtpePX7BA","node.name":"n1","cluster.name":"shop"}`,
    );
    const { clusterUuid, clusterName, nodeId, nodeName, index, shard } = operation;
    assert.deepEqual(
      [clusterUuid, clusterName, nodeId, nodeName, index, shard],
      ['0d2MZYNKR7Wqr2U6Cvpp7g', 'shop', 'a8BUD2RfQSu4aqtpePX7BA', 'n1', 'orders', 3],
    );
    const { tookMs, totalHits, totalShards, stats, id, source } = operation;
    assert.deepEqual(
      [tookMs, totalHits, totalShards, stats, id, source],
      [12.5, 7, 2, ['front'], 'job-7', '{"size":3}'],
    );
  });

  it('of indexing, on several lines where the source was left as it came', () => {
    const operation = operationIn(
      '[2018-07-04T21:51:30,411][INFO ][index.indexing.slowlog.index] [n1] [metrics/VLKxBLvUSYuIMKzpacGjRg] took[1.7ms], took_millis[1], type[doc], id[s01HZ2QBk9jw4gtgaFtn], routing[r1], source[\n{\n  "a":[1,\n2]\n}]',
    );
    assert.equal(operation.kind, 'indexing');
    assert.equal(operation.index, 'metrics');
    assert.equal(operation.indexUuid, 'VLKxBLvUSYuIMKzpacGjRg');
    assert.equal(operation.shard, null);
    assert.equal(operation.id, 's01HZ2QBk9jw4gtgaFtn');
    assert.equal(operation.routing, 'r1');
    assert.equal(operation.source, '\n{\n  "a":[1,\n2]\n}');
  });

  it('of 6.8.5, whose loggers are one for each index, shortened or in full', () => {
    const logged = (logger: string): string => {
      const text = `[2020-04-25T11:54:38,125][WARN ][${logger}] [n1] [orders][0] took[19.1ms], took_millis[19]`;
      const { kind, phase } = operationIn(text);
      return `${kind} ${phase}`;
    };
    const uuid = 'Vq3Yy0YcQ9eYt-h0bT1x_A';
    for (const [form, said] of [
      ['i.s.s.q', 'search query'],
      ['i.s.s.f', 'search fetch'],
      ['i.i.s.i', 'indexing index'],
      ['index.search.slowlog.query', 'search query'],
      ['index.search.slowlog.fetch', 'search fetch'],
      ['index.indexing.slowlog.index', 'indexing index'],
    ])
      assert.equal(logged(`${form}.${uuid}`), said);
  });

  it('of indexing, whose document or id holds what looks like its labels', () => {
    const indexed = (rest: string): readonly unknown[] => {
      const { tookMs, id, routing, source } = operationIn(
        `[2018-07-04T21:51:30,411][INFO ][index.indexing.slowlog.index] [n1] [a/VLKxBLvUSYuIMKzpacGjRg] took[1ms], took_millis[1], type[doc], ${rest}`,
      );
      return [tookMs, id, routing, source];
    };
    const document = '{"message":"x took[9ms], source[{}], id[abc], "}';
    assert.deepEqual(indexed(`id[1], routing[], source[${document}]`), [1, '1', null, document]);
    assert.deepEqual(indexed('id[a source[b], took[9ms], id[c], routing[r], source[{"a":1}]'), [
      1,
      'a source[b], took[9ms], id[c',
      'r',
      '{"a":1}',
    ]);
    assert.deepEqual(indexed('id[1], routing[r]'), [1, '1', 'r', null]);
    assert.deepEqual(indexed('id[1], routing[r] , source[{}]'), [1, '1', 'r', '{}']);
  });

  it('of 6.x, cut at 10,000 characters, with all of its source that is there', () => {
    const begun = '{"_source":["a"],"query":{"terms":{"sku":["';
    const whole = `[orders][0] took[1ms], took_millis[1], total_hits[1], types[], stats[], search_type[QUERY_THEN_FETCH], total_shards[5], source[${begun}${'x'.repeat(20_000)}`;
    const { source, id } = operationIn(
      `[2018-06-29T10:06:14,933][INFO ][i.s.s.query] [n1] ${whole.slice(0, 10_000)}`,
    );
    assert.ok(source?.startsWith(begun) === true);
    assert.equal(source.length, 10_000 - whole.indexOf(begun));
    assert.equal(id, null);
    const indexed = operationIn(
      '[2018-06-29T10:06:14,933][INFO ][i.i.s.index] [n1] [orders/x] took[1ms], type[doc], id[1], routing[], source[{"a":[1],"b":"c',
    );
    assert.equal(indexed.source, '{"a":[1],"b":"c');
  });

  it('without a node name', () => {
    const operation = operationIn(
      '[2018-06-29T10:06:14,933][TRACE][index.search.slowlog.query] [orders][0] took[1s], took_millis[1000], total_hits[1]',
    );
    assert.equal(operation.nodeName, null);
    assert.equal(operation.index, 'orders');
    assert.equal(operation.source, null);
  });
});

describe('an entry of a JSON slow log', () => {
  const head =
    '{"type": "index_search_slowlog", "timestamp": "2019-04-25T11:54:38,125-07:00", "level": "WARN", "component": "i.s.s.query", "cluster.name": "es1", "node.name": "es1_1", ';
  const tail = '"cluster.uuid": "44x88wSzTiuFvnIwkjXrfQ", "node.id": "dSdB3IzJQdSub_HwGsNuuA"  }';

  it('of 7.0, with all of it in the message', () => {
    const operation = operationIn(
      `{"type": "index_indexing_slowlog", "timestamp": "2019-01-29T08:35:54,170+0100", "level": "WARN", "component": "i.i.s.index", "cluster.name": "es", "node.name": "node-0", "cluster.uuid": "oqKkg2eoQh2P_KrKliI3DA", "node.id": "U7rdLkcqR9eRvOiyLmr_qQ",  "message": "[index1/PJlGJFFURIO1zIboktQMUw] took[4.6ms], took_millis[4], type[_doc], id[1], routing[], source[{\\"some\\":\\"value\\"}]"  }`,
    );
    assert.equal(operation.at, micros('2019-01-29T07:35:54.170Z'));
    assert.equal(operation.index, 'index1');
    assert.equal(operation.nodeName, 'node-0');
    assert.equal(operation.id, '1');
    assert.equal(operation.routing, null);
    assert.equal(operation.source, '{"some":"value"}');
  });

  it('of 7.1, with the source as a raw object', () => {
    const operation = operationIn(
      `${head}"message": "[.mon-7][0]", "took": "19.1ms", "took_millis": "19", "total_hits": "4 hits", "types": [], "stats": ["a"], "search_type": "QUERY_THEN_FETCH", "total_shards": "1", "source": {"size":0,"id":"x"}, "id": "", ${tail}`,
    );
    assert.equal(operation.at, micros('2019-04-25T18:54:38.125Z'));
    assert.equal(operation.clusterUuid, '44x88wSzTiuFvnIwkjXrfQ');
    assert.deepEqual(operation.stats, ['a']);
    assert.equal(operation.id, null);
    assert.equal(operation.source, '{"size":0,"id":"x"}');
  });

  it('of 7.1, with a raw source that was cut and is no JSON', () => {
    const operation = operationIn(
      `${head}"message": "[a][0]", "took": "19.1ms", "took_millis": "19", "source": {"size":0,"id": "x", "q":{"a, "id": "job", ${tail}`,
    );
    assert.equal(operation.source, '{"size":0,"id": "x", "q":{"a');
    assert.equal(operation.id, 'job');
    assert.equal(operation.clusterUuid, '44x88wSzTiuFvnIwkjXrfQ');
  });

  it('of 7.1, with a raw source that nests deeper than can be written again', () => {
    const source = `${'{"a":['.repeat(9_000)}1${']}'.repeat(9_000)}`;
    const operation = operationIn(
      `${head}"message": "[a][0]", "took": "19.1ms", "took_millis": "19", "source": ${source}, "id": "job", ${tail}`,
    );
    assert.equal(operation.source, source);
    assert.equal(operation.id, 'job');
  });

  it('with a number of shards that does not fit into a record, without that number', () => {
    const counted = (shards: string): number | null =>
      operationIn(
        `${head}"message": "[a][0]", "took": "19.1ms", "took_millis": "19", "total_shards": "${shards}", ${tail}`,
      ).totalShards;
    assert.equal(counted('2147483647'), 2_147_483_647);
    assert.equal(counted('2147483648'), null);
  });

  it('that nests so deeply in any other field, without that field', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const operation = operationIn(
      `${head}"message": "[a][0]", "took": "19.1ms", "took_millis": "19", "total_hits": ${deep}, ${tail}`,
    );
    assert.equal(operation.totalHits, null);
  });

  it('of 7.6, whose loggers are one for each index', () => {
    const operation = operationIn(
      `${head.replace('i.s.s.query', 'i.s.s.f.Vq3Yy0YcQ9eYtFh0bT1xEA')}"message": "[orders][0]", "took": "19.1ms", "took_millis": "19", "source": "{}", ${tail}`,
    );
    assert.equal(operation.phase, 'fetch');
    assert.equal(operation.index, 'orders');
  });

  it('of 7.17, with the source as text', () => {
    const operation = operationIn(
      `${head}"message": "[orders][1]", "took": "946.6micros", "took_millis": "0", "total_hits": "-1", "types": "[]", "stats": "[]", "search_type": "QUERY_THEN_FETCH", "total_shards": "2", "source": "{\\"q\\":\\"a\\\\\\"b\\"}", "id": "null", ${tail}`,
    );
    assert.equal(operation.tookMs, 0.9466);
    assert.equal(operation.totalHits, null);
    assert.equal(operation.id, null);
    assert.equal(operation.source, '{"q":"a\\"b"}');
  });

  it('with the groups of its statistics by their names, however they are quoted', () => {
    const seven = (stats: string): readonly string[] =>
      operationIn(
        `${head}"message": "[orders][1]", "took": "1ms", "took_millis": "1", "stats": "${stats}", "source": "{}", ${tail}`,
      ).stats;
    const eight = (stats: string): readonly string[] =>
      operationIn(
        `{"@timestamp":"2024-03-13T09:44:20.724Z", "log.level": "WARN",  "elasticsearch.slowlog.message":"[a][0]","elasticsearch.slowlog.stats":"${stats}","elasticsearch.slowlog.took":"1ms","elasticsearch.slowlog.took_millis":0 , "log.logger":"index.search.slowlog.query"}`,
      ).stats;
    assert.deepEqual(seven(String.raw`[\"front\", \"back, left\"]`), ['front', 'back, left']);
    assert.deepEqual(eight(String.raw`[\\\"front\\\", \\\"back\\\"]`), ['front', 'back']);
    for (const stats of [seven, eight]) {
      assert.deepEqual(stats('[]'), []);
      assert.deepEqual(stats('[front, back]'), ['front', 'back']);
    }
  });

  it('of 8.14, escaped twice, with its user', () => {
    const operation = operationIn(
      String.raw`{"@timestamp":"2024-03-13T09:44:20.724Z", "log.level": "WARN",  "auth.type":"REALM","elasticsearch.slowlog.id":null,"elasticsearch.slowlog.message":"[my-index][0]","elasticsearch.slowlog.search_type":"QUERY_THEN_FETCH","elasticsearch.slowlog.source":"{\\\"query\\\":{\\\"match\\\":{\\\"a\\\":\\\"say \\\\\\\"x\\\\\\\"\\\"}}}","elasticsearch.slowlog.stats":"[]","elasticsearch.slowlog.took":"509.5micros","elasticsearch.slowlog.took_millis":0,"elasticsearch.slowlog.total_hits":"0 hits","elasticsearch.slowlog.total_shards":1,"user.name":"ann","user.realm":"reserved" , "ecs.version": "1.2.0","service.name":"ES_ECS","event.dataset":"elasticsearch.index_search_slowlog","log.logger":"index.search.slowlog.query","elasticsearch.cluster.uuid":"0d2MZYNKR7Wqr2U6Cvpp7g","elasticsearch.node.id":"a8BUD2RfQSu4aqtpePX7BA","elasticsearch.node.name":"runTask-0","elasticsearch.cluster.name":"runTask"}`,
    );
    assert.equal(operation.source, String.raw`{"query":{"match":{"a":"say \"x\""}}}`);
    assert.equal(operation.user, 'ann');
    assert.equal(operation.clusterName, 'runTask');
    assert.equal(operation.totalHits, 0);
  });

  it('of 8.0 indexing, cut in the middle of an escape', () => {
    const operation = operationIn(
      String.raw`{"@timestamp":"2022-01-27T11:39:29.508Z", "log.level":"TRACE",  "elasticsearch.slowlog.id":"_oRVm34B7FprLQsjW_Zh","elasticsearch.slowlog.message":"[test_1/8pT6xiN_Tt-dcJWRR3LX6A]","elasticsearch.slowlog.source":"{\\\"a\\\":\\","elasticsearch.slowlog.took":"1.7ms","elasticsearch.slowlog.took_millis":"1" , "log.logger":"index.indexing.slowlog.index","trace.id":"0af7651916cd43dd8448eb211c80319c"}`,
    );
    assert.equal(operation.source, '{"a":\\');
    assert.equal(operation.traceId, '0af7651916cd43dd8448eb211c80319c');
    assert.equal(operation.kind, 'indexing');
  });
});

describe('text that is no entry of a slow log', () => {
  it('is distinguished from an entry that cannot be read', () => {
    const is = (text: string): string => parseEntry(text, utc).is;
    assert.equal(is('[2026-11-21T07:08:20,922][INFO ][o.e.n.Node               ] [n1] started'), 'other');
    assert.equal(
      is(
        '{"type": "server", "timestamp": "2026-11-21T07:08:20,922Z", "level": "INFO", "component": "o.e.n.Node", "message": "started"}',
      ),
      'other',
    );
    assert.equal(is('\tat org.elasticsearch.node.Node.start(Node.java:1)'), 'other');
    for (const logger of ['i.s.s.q', 'i.s.s.q.Query', 'i.s.s.i.Vq3Yy0YcQ9eYtFh0bT1xEA'])
      assert.equal(is(`[2026-11-21T07:08:20,922][WARN ][${logger}] [n1] [a][1] took[1ms]`), 'other');
    assert.equal(is('{'), 'other');
    assert.equal(is(''), 'other');
    assert.equal(
      is('[2026-11-21T07:08:20,922][WARN ][i.s.s.query] [n1] [or"ders][1] took[1ms], took_millis[1]'),
      'unreadable',
    );
  });

  it('puts no user text into a field that is not scrubbed', () => {
    const operation = operationIn(
      '[2026-11-21T07:08:20,922][WARN ][i.s.s.query] [n1] [orders][1] took[1ms], took_millis[1], search_type[password=x], total_shards[many], source[{}], ',
    );
    assert.equal(operation.searchType, null);
    assert.equal(operation.totalShards, null);
  });
});
