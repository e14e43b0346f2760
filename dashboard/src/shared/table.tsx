import { useEffect, useState, type ReactNode } from 'react';
import styles from './table.module.css';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Figures are right-aligned, so that their sizes can be compared. */
  readonly isFigure?: boolean;
  /**
   * A name is never broken over two lines; a text keeps room for several words a line, and so does a status once it has a
   * reason; what is done with a row stays in sight while the others scroll.
   */
  readonly holds?: 'name' | 'text' | 'status' | 'action';
}

interface TableProps<Row> {
  /** What the rows are, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string;
}

/** A table that scrolls sideways in itself where the window is narrow. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  const shown = useRowsInSteps(rows);
  return (
    <div className={styles['scroll']} role="region" aria-label={caption} tabIndex={0}>
      <table className={styles['table']}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isFigure, holds }) => (
              <th key={title} scope="col" data-figure={isFigure === true} data-holds={holds}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, index) => (
            <tr key={keyOf(row, index)}>
              {columns.map(({ title, cell, isFigure, holds }) => (
                <td key={title} data-figure={isFigure === true} data-holds={holds}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const rowsAtOnce = 30;

/** The browser lays out and paints what comes at once in one task: so many rows are painted before the next come. */
function useRowsInSteps<Row>(rows: readonly Row[]): readonly Row[] {
  const [count, setCount] = useState(rowsAtOnce);
  const isWhole = count >= rows.length;
  useEffect(() => {
    if (isWhole) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setCount(count + rowsAtOnce));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [count, isWhole]);
  return isWhole ? rows : rows.slice(0, count);
}
