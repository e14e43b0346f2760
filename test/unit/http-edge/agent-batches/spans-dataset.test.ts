import assert from 'node:assert/strict';
import { largestSpansRecord, spansDataset } from '../../../../http-edge/agent-batches/spans-dataset.js';
import type { TraceSpans } from '../../../../schemas/generated/trace-spans.js';
import type { Span, SpanBlock } from '../../../../schemas/otlp/span-block.js';
import { spansCodec } from '../../../support/spans-codec.js';

const dataset = spansDataset(spansCodec);
const context = { workspace: 'acme', keyId: 'k1', receivedAt: 1_700_000_000_000_000 };
const trace = (digit: string): string => digit.repeat(32);
const span = (traceDigit: string, id: number, changes: Partial<Span> = {}): Span => ({
  trace_id: trace(traceDigit),
  span_id: id.toString(16).padStart(16, '0'),
  start: '1795245546557000001',
  end: '1795245546557000002',
  ...changes,
});
const recordsOf = (...blocks: readonly SpanBlock[]) =>
  blocks
    .flatMap((block) => [...dataset.records(block, context)])
    .map(({ topic, key, value }) => {
      assert.ok(value);
      return {
        topic,
        key: key?.toString(),
        bytes: value.length,
        value: spansCodec.decode(value) as TraceSpans,
      };
    });

describe('spans of agents', () => {
  it('become one record per trace of a block, keyed by the trace, in order', () => {
    const block = { application: 'shop', spans: [span('a', 1), span('b', 2), span('a', 3)] };
    assert.deepEqual(
      recordsOf(block, block).map(({ topic, key, value }) => [
        topic,
        key,
        value.spans.map(({ span_id }) => Number(span_id)),
      ]),
      [
        ['ingest.spans', trace('a'), [1, 3]],
        ['ingest.spans', trace('b'), [2]],
        ['ingest.spans', trace('a'), [1, 3]],
        ['ingest.spans', trace('b'), [2]],
      ],
    );
  });

  it('have empty or zero values for what a block leaves out', () => {
    const [record] = recordsOf({ application: 'shop', spans: [span('a', 1)] });
    const empty = { types: '', keys: [], values: [] };
    assert.deepEqual(JSON.parse(JSON.stringify(record?.value)), {
      workspace: 'acme',
      key_id: 'k1',
      application: 'shop',
      trace_id: trace('a'),
      received_at: context.receivedAt,
      resource: { attributes: empty, dropped_attributes_count: 0, schema_url: '' },
      scope: { name: '', version: '', attributes: empty, dropped_attributes_count: 0, schema_url: '' },
      spans: [
        {
          span_id: '0000000000000001',
          parent_span_id: '',
          trace_state: '',
          flags: 0,
          name: '',
          kind: 0,
          start: '1795245546557000001',
          end: '1795245546557000002',
          attributes: empty,
          dropped_attributes_count: 0,
          events: [],
          dropped_events_count: 0,
          links: [],
          dropped_links_count: 0,
          status_code: 0,
          status_message: '',
        },
      ],
    });
  });

  it('are split over records that stay below a size, and none is lost', () => {
    const spans = Array.from({ length: 300 }, (_, id) => span('a', id + 1, { name: 'n'.repeat(4_000) }));
    const records = recordsOf({ application: 'shop', spans });
    assert.ok(records.length >= 5 && records.length <= 10, String(records.length));
    for (const { bytes } of records) assert.ok(bytes <= largestSpansRecord);
    assert.deepEqual(
      records.flatMap(({ value }) => value.spans.map(({ span_id }) => span_id)),
      spans.map(({ span_id }) => span_id),
    );
  });

  it('can each be larger than that size', () => {
    const large = { name: 'n'.repeat(largestSpansRecord) };
    const records = recordsOf({ application: 'shop', spans: [span('a', 1, large), span('a', 2, large)] });
    assert.deepEqual(
      records.map(({ value }) => value.spans.length),
      [1, 1],
    );
  });
});
