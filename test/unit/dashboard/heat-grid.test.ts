import assert from 'node:assert/strict';
import { cellAt, chosen, gridOf } from '../../../dashboard/src/pages/traces/heat-grid.js';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 2, 10, minute)).toISOString();
const durations = {
  ...{ from: at(1), to: at(10), step_seconds: 120, edges_ms: [0, 1, 2, 5, 10] },
  cells: [
    { at: at(2), from_ms: 2, spans: 1_000, errors: 0 },
    { at: at(2), from_ms: 10, spans: 1, errors: 1 },
    { at: at(8), from_ms: 2, spans: 30, errors: 0 },
  ],
};

describe('the map of durations', () => {
  const grid = gridOf(durations);

  it('has a column for each stretch of the range, and rows from the shortest to the longest band with spans', () => {
    assert.deepEqual([grid.columns, grid.rows, grid.topMs], [5, [2, 5, 10], undefined]);
    assert.deepEqual(
      grid.cells.map(({ column, row, shade }) => [column, row, shade]),
      [
        [1, 0, 4],
        [1, 2, 1],
        [4, 0, 2],
      ],
    );
  });

  it('has one shade if all cells have one span', () => {
    const { cells } = gridOf({ ...durations, cells: durations.cells.slice(1, 2) });
    assert.deepEqual(
      cells.map(({ shade, row }) => [shade, row]),
      [[1, 0]],
    );
  });

  it('asks for the whole cells that a selection touches, in whichever direction it was drawn', () => {
    const expected = { from: at(2), to: at(6), min_ms: '5', max_ms: '' };
    assert.deepEqual(chosen(grid, { begin: [0.25, 0.99], end: [0.55, 0.4] }), expected);
    assert.deepEqual(chosen(grid, { begin: [0.55, 0.4], end: [0.25, 0.99] }), expected);
  });

  it('takes a click for the cell under it, at the edges too', () => {
    assert.deepEqual(chosen(grid, { begin: [0, 0], end: [0, 0] }), {
      ...{ from: at(0), to: at(2), min_ms: '2', max_ms: '5' },
    });
    assert.deepEqual(chosen(grid, { begin: [1, 1], end: [1, 1] }), {
      ...{ from: at(8), to: at(10), min_ms: '10', max_ms: '' },
    });
  });

  it('finds the cell under the pointer, and none where no span is', () => {
    assert.deepEqual([cellAt(grid, [0.25, 0.1])?.spans, cellAt(grid, [0.25, 0.9])?.spans], [1_000, 1]);
    assert.equal(cellAt(grid, [0.5, 0.5]), undefined);
    assert.equal(cellAt(grid, [1, 1]), undefined);
  });
});
