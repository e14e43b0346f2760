import type { UseQueryResult } from '@tanstack/react-query';
import { Database, Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { ApiError } from '../api/client.js';
import { useSession } from '../api/session.js';
import { curlOf, type ReadOptions } from '../api/use-read.js';
import { Button } from './button.js';
import { CopyButton } from './copy-button.js';
import { csvOf, type CsvRow } from './csv.js';
import { DialogActions } from './dialog-actions.js';
import { Dialog } from './dialog.js';
import { download } from './download.js';
import styles from './exports.module.css';
import type { SqlScope } from './sql-text.js';
import { boundsOf } from './time-range.js';
import { CodeBlock } from './code-block.js';

interface ExportsProps<Data> {
  /** The content, as in "SQL of the traces"; its file is named after it. */
  readonly what: string;
  readonly query: UseQueryResult<Data, ApiError>;
  readonly path: string;
  readonly options?: Pick<ReadOptions, 'params' | 'query' | 'range'>;
  /** The rows for a spreadsheet. */
  readonly rows: (data: Data) => readonly CsvRow[];
  /** Undefined for data that is not in ClickHouse. */
  readonly sql?: (data: Data, scope: SqlScope) => string;
}

/** The exports of a table or picture: its rows, the query behind it, and the call with the same answer. */
export function Exports<Data>({ what, query, path, options = {}, rows, sql }: ExportsProps<Data>) {
  const { data, isPlaceholderData } = query;
  const [isSqlShown, showSql] = useState(false);
  // Rows of the previous filter would not match the file's name.
  const current = isPlaceholderData ? undefined : data;
  return (
    <RowExports
      what={what}
      rows={current === undefined ? undefined : () => rows(current)}
      curl={() => curlOf(path, options, Date.now())}
    >
      {sql === undefined ? null : (
        <Button
          onClick={() => showSql(true)}
          disabled={current === undefined}
          aria-label={`Show the SQL: ${what}`}
        >
          <Database size={15} aria-hidden="true" />
          Show the SQL
        </Button>
      )}
      {isSqlShown && sql !== undefined && current !== undefined ? (
        <SqlDialog
          what={what}
          sql={(workspace) => sql(current, { workspace, ...shownBounds(current, options) })}
          isOfFirstPage={options.query?.['cursor'] === undefined}
          close={() => showSql(false)}
        />
      ) : null}
    </RowExports>
  );
}

interface RowExportsProps {
  readonly what: string;
  /** Undefined while the rows are not there. */
  readonly rows: (() => readonly CsvRow[]) | undefined;
  /** The calls with the same answers, one per line. */
  readonly curl: () => string;
  readonly children?: ReactNode;
}

/** The exports of rows that come from several reads, or not from ClickHouse. */
export function RowExports({ what, rows, curl, children }: RowExportsProps) {
  return (
    <div className={styles['exports']}>
      <Button
        onClick={() => {
          if (rows !== undefined) download(`${fileNameOf(what)}.csv`, 'text/csv', csvOf(rows()));
        }}
        disabled={rows === undefined}
        aria-label={`CSV: ${what}`}
      >
        <Download size={15} aria-hidden="true" />
        CSV
      </Button>
      {children}
      <CopyButton label="Copy as curl" about={what} shortcut="c" text={curl} />
    </div>
  );
}

interface SqlDialogProps {
  readonly what: string;
  readonly sql: (workspace: string) => string;
  /** Whether the page shows the first page of a list, which is what the query returns. */
  readonly isOfFirstPage: boolean;
  readonly close: () => void;
}

function SqlDialog({ what, sql, isOfFirstPage, close }: SqlDialogProps) {
  const { data: session } = useSession();
  // Fixed when the dialog opens, because a range that follows the clock moves on.
  const [text] = useState(() => sql(session?.workspace ?? ''));
  return (
    <Dialog title={`SQL: ${what}`} close={close}>
      {isOfFirstPage || !text.includes('LIMIT') ? null : (
        <p>
          The page shows a later part of the list. This query has the first one; without its LIMIT it has all.
        </p>
      )}
      <CodeBlock label="SQL">{text}</CodeBlock>
      <DialogActions>
        <CopyButton label="Copy the SQL" text={() => text} />
        <Button look="primary" onClick={close}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** The range of the answer if it has one, otherwise the requested range. */
function shownBounds(data: unknown, { range }: Pick<ReadOptions, 'range'>): Pick<SqlScope, 'from' | 'to'> {
  const { from, to } = data as { readonly from?: unknown; readonly to?: unknown };
  if (typeof from === 'string' && typeof to === 'string') return { from, to };
  return boundsOf(range ?? { kind: 'last', minutes: 1_440 }, Date.now());
}

const fileNameOf = (what: string): string => what.replaceAll(/[^\p{L}\p{N}]+/gu, '-').toLowerCase();
