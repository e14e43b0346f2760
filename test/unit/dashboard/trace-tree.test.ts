import assert from 'node:assert/strict';
import {
  extentOf,
  lengthOf,
  parentAt,
  treeOf,
  unfolded,
  type Span,
} from '../../../dashboard/src/pages/trace/tree.js';

const span = (id: string, parent: string, offset_ms: number, duration_ms = 1): Span => ({
  ...{ span_id: id, parent_span_id: parent, offset_ms, duration_ms },
  ...{ application: 'shop', service: 'shop', operation: id, kind: 'internal', status: 'unset' },
  ...{ attributes: 0, events: 0, links: 0 },
});
const shape = (spans: readonly Span[]): readonly string[] =>
  treeOf(spans).map(({ span: { span_id: id }, depth, below, isOrphan }) =>
    [id, depth, below, ...(isOrphan ? ['orphan'] : [])].join(' '),
  );

describe('the extent of a trace', () => {
  it('is given in words, and does not count an empty service name', () => {
    const nameless = { ...span('a', '', 0), service: '' };
    assert.equal(extentOf([nameless], false), '1 span, 0 with an error');
    const failed = { ...span('b', '', 0), status: 'error' as const };
    assert.equal(extentOf([nameless, failed], true), 'the first 2 spans in 1 service, 1 with an error');
  });
});

describe('the tree of a trace', () => {
  it('has each span below its parent, ordered by start', () => {
    assert.deepEqual(
      shape([
        span('a', '', 0, 9),
        span('b', 'a', 1),
        span('c', 'b', 2),
        span('d', 'a', 3),
        span('e', 'd', 4),
      ]),
      ['a 0 4', 'b 1 1', 'c 2 0', 'd 1 1', 'e 2 0'],
    );
  });

  it('leads from a span to its parent', () => {
    const rows = treeOf([span('a', '', 0, 9), span('b', 'a', 1), span('c', 'b', 2), span('d', 'a', 3)]);
    assert.deepEqual(
      rows.map((_, index) => parentAt(rows, index)?.span.span_id),
      [undefined, 'a', 'b', 'a'],
    );
  });

  it('loses no span whose parent is missing, nor spans that are parents of each other', () => {
    assert.deepEqual(shape([span('a', 'x', 0), span('b', 'c', 1), span('c', 'b', 2), span('d', 'd', 3)]), [
      'a 0 0 orphan',
      'd 0 0 orphan',
      'b 0 1 orphan',
      'c 1 0',
    ]);
  });

  it('takes a trace that is 50,000 spans deep, and one with as many children', () => {
    const deep = Array.from({ length: 50_000 }, (_, n) => span(String(n), n === 0 ? '' : String(n - 1), n));
    assert.deepEqual(treeOf(deep).at(-1)?.depth, 49_999);
    const wide = Array.from({ length: 50_000 }, (_, n) => span(String(n), n === 0 ? '' : '0', n));
    assert.equal(treeOf(wide)[0]?.below, 49_999);
    assert.equal(lengthOf(wide), 50_000);
  });

  it('folds away what is below a span, and nothing else', () => {
    const tree = treeOf([span('a', '', 0), span('b', 'a', 1), span('c', 'b', 2), span('d', 'a', 3)]);
    const left = unfolded(tree, new Set(['b'])).map(({ span: { span_id: id } }) => id);
    assert.deepEqual(left, ['a', 'b', 'd']);
  });
});
