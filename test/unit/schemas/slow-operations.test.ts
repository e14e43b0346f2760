import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import avsc from 'avsc';
import { parseSlowOperation } from '../../../schemas/slow-operations.js';

const item = {
  id: '0123456789abcdef0123456789abcdef',
  cluster_uuid: 'ZPqtMNDPRMSUuCkhIX8ZPQ',
  at: 1_763_708_898_601_000,
  kind: 'search',
  phase: 'query',
  level: 'warn',
  index: 'orders',
  took_ms: 0.9466,
};

const reasonFor = (given: unknown): string => {
  const parsed = parseSlowOperation(given);
  return 'reason' in parsed ? parsed.reason : 'no reason';
};

describe('a slow operation from an agent', () => {
  it('becomes a record of the topic with all its fields', () => {
    const parsed = parseSlowOperation({
      ...item,
      query: '{"query":{"match_all":{}}}',
      shard: 0,
      later: true,
    });
    assert.ok('item' in parsed);
    assert.ok(!('later' in parsed.item), 'an unknown field is ignored');
    const schema = JSON.parse(readFileSync('schemas/avro/slow-operation.avsc', 'utf8')) as avsc.Schema;
    const type = avsc.Type.forSchema(schema, { wrapUnions: false });
    const record = { ...parsed.item, workspace: 'main', received_at: item.at };
    const read = type.fromBuffer(type.toBuffer(record)) as Record<string, unknown>;
    assert.deepEqual({ ...read }, record);
  });

  it('is refused with the field named', () => {
    assert.match(reasonFor({ ...item, took_ms: -1 }), /^took_ms: /);
    assert.match(reasonFor({ ...item, kind: 'merge' }), /^kind: /);
    assert.match(reasonFor({ ...item, id: 'x' }), /^id: must be 32 hexadecimal digits$/);
    assert.match(reasonFor({ ...item, cluster_uuid: '_na_' }), /^cluster_uuid: /);
    assert.match(reasonFor({ ...item, at: 1_763_708_898 }), /^at: /);
    assert.match(reasonFor([]), /^the line: /);
    assert.match(reasonFor(null), /^the line: /);
  });
});
