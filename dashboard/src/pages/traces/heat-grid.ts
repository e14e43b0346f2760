import type { Answer } from '../../api/client.js';

type Durations = Answer<'/api/v1/traces/durations'>;
type Cell = Durations['cells'][number];

export interface GridCell extends Cell {
  /** Columns count from the left, rows from the bottom. */
  readonly column: number;
  readonly row: number;
  /** By the number of its spans, relative to the cell with the most. */
  readonly shade: number;
}

export interface Grid {
  readonly columns: number;
  /** The lower bound of each row in milliseconds, the shortest durations first. */
  readonly rows: readonly number[];
  /** The upper bound of the top row; undefined if it has none. */
  readonly topMs: number | undefined;
  readonly firstMs: number;
  readonly stepMs: number;
  readonly cells: readonly GridCell[];
}

/** Shades are logarithmic: people look for a few slow requests among thousands of fast ones. */
export const shades: readonly number[] = [1, 2, 3, 4];

/** Columns for all steps of the range, and rows from the lowest to the highest band with spans. */
export function gridOf({ from, to, step_seconds: step, edges_ms: edges, cells }: Durations): Grid {
  const stepMs = step * 1_000;
  const firstMs = Math.floor(Date.parse(from) / stepMs) * stepMs;
  const bands = cells.map(({ from_ms: begin }) => edges.indexOf(begin));
  const lowest = Math.min(...bands);
  const highest = Math.max(...bands);
  const most = Math.max(...cells.map(({ spans }) => spans));
  return {
    columns: Math.ceil((Date.parse(to) - firstMs) / stepMs),
    rows: edges.slice(lowest, highest + 1),
    topMs: edges[highest + 1],
    ...{ firstMs, stepMs },
    cells: cells.map((cell, index) => ({
      ...cell,
      column: (Date.parse(cell.at) - firstMs) / stepMs,
      row: (bands[index] ?? 0) - lowest,
      shade: 1 + Math.round(((shades.length - 1) * Math.log(cell.spans)) / Math.max(Math.log(most), 1e-9)),
    })),
  };
}

/** The cell at fractions of the width from the left and the height from the bottom; undefined if empty. */
export function cellAt(
  { columns, rows, cells }: Grid,
  [x, y]: readonly [number, number],
): GridCell | undefined {
  const [column, row] = [Math.floor(x * columns), Math.floor(y * rows.length)];
  return cells.find((cell) => cell.column === column && cell.row === row);
}

/** Two corners, each as a fraction of the width from the left and of the height from the bottom. */
export interface Selection {
  readonly begin: readonly [number, number];
  readonly end: readonly [number, number];
}

/** The search for a selection: whole cells, because that is what people see. */
export function chosen(
  { columns, rows, topMs, firstMs, stepMs }: Grid,
  { begin, end }: Selection,
): { readonly from: string; readonly to: string; readonly min_ms: string; readonly max_ms: string } {
  const span = (index: 0 | 1, count: number): readonly [number, number] => {
    const [low, high] = [Math.min(begin[index], end[index]), Math.max(begin[index], end[index])];
    const first = Math.min(count - 1, Math.max(0, Math.floor(low * count)));
    return [first, Math.max(first + 1, Math.min(count, Math.ceil(high * count)))];
  };
  const [left, right] = span(0, columns);
  const [bottom, top] = span(1, rows.length);
  const longest = rows[top] ?? topMs;
  const timestamp = (column: number): string => new Date(firstMs + column * stepMs).toISOString();
  return {
    from: timestamp(left),
    to: timestamp(right),
    min_ms: rows[bottom] === 0 ? '' : String(rows[bottom]),
    max_ms: longest === undefined ? '' : String(longest),
  };
}
