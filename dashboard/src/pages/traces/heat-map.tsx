import { memo, useState, type PointerEvent } from 'react';
import { useRead } from '../../api/use-read.js';
import { Exports } from '../../shared/exports.js';
import { formatCount, formatMillis, formatNumber, formatTimestamp, zoneName } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { useAddress } from '../../shared/use-address.js';
import { cellAt, chosen, gridOf, shades, type Grid, type GridCell, type Selection } from './heat-grid.js';
import styles from './heat-map.module.css';
import { durationsSql, type TraceFilter } from './sql.js';

const path = '/api/v1/traces/durations';

/** The durations of the found spans over time. Dragging over a part restricts the search to it. */
export function HeatMap({ filter }: { readonly filter: TraceFilter }) {
  const { range } = useAddress();
  const options = { query: { ...filter }, range };
  const query = useRead(path, { ...options, everySeconds: 30 });
  return (
    <div className={styles['room']} data-awaited={query.data === undefined}>
      <Loaded query={query} what="the durations">
        {(durations) =>
          durations.cells.length === 0 ? null : (
            <figure className={styles['figure']}>
              <figcaption>
                <span>
                  Spans by duration and time; the stronger the colour, the more spans. A mark at the bottom:
                  some failed. Drag over an area to search in it.
                </span>
                <Exports
                  what="map of durations"
                  query={query}
                  path={path}
                  options={options}
                  rows={({ cells }) => cells}
                  sql={(map, scope) => durationsSql(filter, map, scope)}
                />
              </figcaption>
              <Map grid={gridOf(durations)} />
            </figure>
          )
        }
      </Loaded>
    </div>
  );
}

function Map({ grid }: { readonly grid: Grid }) {
  const { set, zone } = useAddress();
  const [selection, setSelection] = useState<Selection>();
  const [pointedAt, setPointedAt] = useState<readonly [number, number]>();
  const { columns, rows, cells } = grid;
  const timestamp = (column: number): string =>
    formatTimestamp(new Date(grid.firstMs + column * grid.stepMs).toISOString(), zone).slice(0, 16);
  /** Without the year, so that three of them fit below the narrowest map. */
  const tick = (column: number): string => timestamp(column).slice(5);
  // In the current grid: the grid under the pointer before might have had other times.
  const pointed = pointedAt && cellAt(grid, pointedAt);
  const down = (event: PointerEvent<SVGSVGElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = positionOf(event);
    setSelection({ begin: at, end: at });
  };
  const move = (event: PointerEvent<SVGSVGElement>): void => {
    const end = positionOf(event);
    setPointedAt(end);
    setSelection((before) => before && { ...before, end });
  };
  const up = (): void => {
    if (selection !== undefined) set(chosen(grid, selection));
    setSelection(undefined);
  };
  const spans = cells.reduce((sum, cell) => sum + cell.spans, 0);
  return (
    <div className={styles['map']}>
      <ol className={styles['rows']} aria-hidden="true">
        {rows.map((ms, row) => (
          <li key={ms} style={{ bottom: `${(row / rows.length) * 100}%` }}>
            {rows.length > 12 && row % 3 !== 0 ? '' : formatMillis(ms)}
          </li>
        ))}
      </ol>
      <svg
        className={styles['cells']}
        viewBox={`0 0 ${columns} ${rows.length}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${formatCount(spans, 'span')} from ${formatMillis(rows[0])} on, ${timestamp(0)} to ${timestamp(columns)} ${zoneName(zone)}`}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={() => setSelection(undefined)}
        onPointerLeave={() => setPointedAt(undefined)}
      >
        <Cells grid={grid} />
        {selection === undefined ? null : <Chosen selection={selection} grid={grid} />}
      </svg>
      <p className={styles['times']}>
        <span>{tick(0)}</span>
        <span>{tick(columns / 2)}</span>
        <span>{`${tick(columns)} ${zoneName(zone)}`}</span>
      </p>
      <p className={styles['pointed']}>
        {pointed === undefined ? '' : wordsOf(pointed, timestamp(pointed.column))}
      </p>
    </div>
  );
}

const wordsOf = ({ from_ms: ms, spans, errors }: GridCell, at: string): string =>
  `${at}, from ${formatMillis(ms)}: ${formatCount(spans, 'span')}, ${formatNumber(errors)} failed`;

/** One path per shade: with one element per cell, some thousand cells took a slow processor over 500 ms. */
const Cells = memo(function Cells({ grid: { rows, cells } }: { readonly grid: Grid }) {
  const path = (of: readonly GridCell[], height: number): string =>
    of.map(({ column, row }) => `M${column} ${rows.length - row}v${-height}h1v${height}z`).join('');
  const failed = cells.filter(({ errors }) => errors > 0);
  return (
    <>
      {shades.map((shade) => (
        <path
          key={shade}
          data-shade={shade}
          d={path(
            cells.filter((cell) => cell.shade === shade),
            1,
          )}
        />
      ))}
      <path data-failed="true" d={path(failed, 0.25)} />
    </>
  );
});

function Chosen({ selection: { begin, end }, grid }: { readonly selection: Selection; readonly grid: Grid }) {
  const [width, height] = [grid.columns, grid.rows.length];
  return (
    <rect
      className={styles['chosen']}
      x={Math.min(begin[0], end[0]) * width}
      y={(1 - Math.max(begin[1], end[1])) * height}
      width={Math.abs(end[0] - begin[0]) * width}
      height={Math.abs(end[1] - begin[1]) * height}
    />
  );
}

/** Shares of the width, and of the height from the bottom. */
function positionOf({
  currentTarget,
  clientX,
  clientY,
}: PointerEvent<SVGSVGElement>): readonly [number, number] {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  const within = (share: number): number => Math.min(1, Math.max(0, share));
  return [within((clientX - left) / width), 1 - within((clientY - top) / height)];
}
