import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef, type KeyboardEvent } from 'react';
import { formatCount, formatMillis } from '../../shared/format.js';
import { StatusMark } from '../../shared/status-mark.js';
import { Minimap } from './minimap.js';
import { parentAt, type TreeRow } from './tree.js';
import styles from './waterfall.module.css';

interface WaterfallProps {
  readonly rows: readonly TreeRow[];
  readonly folded: ReadonlySet<string>;
  /** Length of the whole trace, in milliseconds. */
  readonly length: number;
  readonly selected: string;
  readonly select: (span: string) => void;
  readonly fold: (span: string, isFolded: boolean) => void;
}

const rowHeight = 28;
/** Spans are not indented further than this depth, because a trace can be hundreds of levels deep. */
const deepestIndent = 24;

/** Every span of a trace on the time axis. Only the visible rows are rendered. */
export function Waterfall({ rows, folded, length, selected, select, fold }: WaterfallProps) {
  const scrolled = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrolled.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const at = rows.findIndex(({ span }) => span.span_id === selected);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
  }, [at, virtual]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 }[event.key];
    const row = rows[at];
    if (step !== undefined) {
      const to = rows[Math.max(0, Math.min(rows.length - 1, at + step))];
      if (to !== undefined) select(to.span.span_id);
    } else if (event.key === 'ArrowLeft' && row !== undefined) {
      const isOpen = row.below > 0 && !folded.has(row.span.span_id);
      const parent = parentAt(rows, at);
      if (isOpen) fold(row.span.span_id, true);
      else if (parent !== undefined) select(parent.span.span_id);
    } else if (event.key === 'ArrowRight' && row !== undefined) fold(row.span.span_id, false);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles['frame']}>
      <Minimap
        rows={rows}
        length={length}
        go={(index) => virtual.scrollToIndex(index, { align: 'center' })}
      />
      <div
        ref={scrolled}
        className={styles['scroll']}
        role="treegrid"
        aria-label="Spans"
        aria-rowcount={rows.length}
        aria-activedescendant={at >= 0 ? `span-${selected}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup" className={styles['all']} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <Row
                key={row.span.span_id}
                {...{ row, index, start, length }}
                isFolded={folded.has(row.span.span_id)}
                isSelected={index === at}
                select={select}
                fold={fold}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface RowProps extends Pick<WaterfallProps, 'length' | 'select' | 'fold'> {
  readonly row: TreeRow;
  readonly index: number;
  /** Pixels from the top. */
  readonly start: number;
  readonly isFolded: boolean;
  readonly isSelected: boolean;
}

/** Memoized, so that a step of scrolling or of the selection renders only the rows that it changes. */
const Row = memo(function Row({ row, index, start, length, isFolded, isSelected, select, fold }: RowProps) {
  const { span, depth, below } = row;
  const name = span.operation === '' ? '(no name)' : span.operation;
  const share = (ms: number): string => `${length === 0 ? 0 : (ms / length) * 100}%`;
  return (
    <div
      id={`span-${span.span_id}`}
      role="row"
      className={styles['row']}
      aria-rowindex={index + 1}
      aria-level={depth + 1}
      aria-selected={isSelected}
      aria-expanded={below === 0 ? undefined : !isFolded}
      style={{ transform: `translateY(${start}px)` }}
      onClick={() => select(span.span_id)}
    >
      <div
        role="gridcell"
        className={styles['name']}
        style={{ paddingInlineStart: `${Math.min(depth, deepestIndent) * 0.7}rem` }}
      >
        {below === 0 ? (
          <span className={styles['leaf']} />
        ) : (
          <button
            type="button"
            tabIndex={-1}
            className={styles['fold']}
            aria-label={`${isFolded ? 'Unfold' : 'Fold'} the ${formatCount(below, 'span')} below ${name}`}
            onClick={(event) => {
              event.stopPropagation();
              fold(span.span_id, !isFolded);
            }}
          >
            {isFolded ? '▸' : '▾'}
          </button>
        )}
        {span.status === 'error' ? <StatusMark status="bad" word="error" /> : null}
        <span className={styles['operation']} title={`${span.service} ${name}`}>
          <strong>{span.service}</strong> {name}
        </span>
        {isFolded ? <span className="muted">{`+${below}`}</span> : null}
      </div>
      <div role="gridcell" className={styles['line']}>
        <span
          className={styles['bar']}
          data-error={span.status === 'error'}
          style={{ left: share(span.offset_ms), width: share(span.duration_ms) }}
        />
        <span className={styles['took']} {...barOf(span, length)}>
          {formatMillis(span.duration_ms)}
        </span>
      </div>
    </div>
  );
});

/** The position of a bar's figure: after the bar, before it near the right edge, or inside a long bar. */
function barOf({ offset_ms: offset, duration_ms: ms }: TreeRow['span'], length: number) {
  const share = (of: number): string => `${length === 0 ? 0 : (of / length) * 100}%`;
  if (offset + ms <= length * 0.8) return { style: { left: share(offset + ms) } };
  if (offset >= length * 0.2) return { style: { right: share(length - offset) } };
  return { style: { left: share(offset) }, 'data-inside': true };
}
