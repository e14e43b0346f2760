import { useEffect, useState, type ReactNode } from 'react';
import styles from './table.module.css';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Figures are right-aligned, so that their sizes can be compared. */
  readonly isFigure?: boolean;
  /**
   * A name is never broken over two lines. A text keeps room for several words per line; so does a status
   * that has a reason. Actions stay in sight while the other columns scroll.
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

/** A table that scrolls sideways in its own box if the window is narrow. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  const isWhole = useFirstRowsFirst();
  const shown = isWhole ? rows : rows.slice(0, firstRows);
  return (
    <div
      className={styles['scroll']}
      role="region"
      aria-label={caption}
      aria-busy={shown.length < rows.length}
      tabIndex={0}
    >
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

const firstRows = 30;

/** Addresses at which all rows were shown: on return, the browser scrolls at once to the old position. */
const shownWhole = new Set<string>();

/** False until the first rows are painted: otherwise the browser would paint all rows in one task. */
function useFirstRowsFirst(): boolean {
  const [isWhole, setWhole] = useState(() => shownWhole.has(location.href));
  useEffect(() => {
    if (isWhole) shownWhole.add(location.href);
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setWhole(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return isWhole;
}
