import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LoggedOperation } from '../../../../../agent/slowlogs/parse/logged-operation.js';
import { isOpaque, opaque } from '../../../../../agent/slowlogs/scrub/identifiers.js';
import {
  scrubOperation,
  withheldOperation,
  type ScrubJob,
} from '../../../../../agent/slowlogs/scrub/scrub-operation.js';
import { scrubText } from '../../../../../agent/slowlogs/scrub/scrub-text.js';
import { cut } from '../../../../../agent/slowlogs/scrub/truncate.js';
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
  limits: { maxQueryLength: 2_000, maxSourceLength: 512, storeSource: false, ...limits },
  digestKey: 'key',
});

describe('a scrubbed slow operation', () => {
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

  it('keeps the query, its length as logged, and how much was replaced', () => {
    const item = scrubOperation(job(search));
    assert.equal(item.query, '{"query":{"match":{"password":"[redacted]"}}}');
    assert.equal(item.query_length, search.source?.length);
    assert.equal(item.redactions, 1);
    assert.equal(item.cluster_name, 'shop');
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

  it('that may say something becomes a digest, the same under the same key', () => {
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
  it('is hard, and never goes through a replacement or a character', () => {
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
