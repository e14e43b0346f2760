import type { UseQueryResult } from '@tanstack/react-query';
import { useDeferredValue, type ReactNode } from 'react';
import type { ApiError } from '../api/client.js';
import { Button } from './button.js';
import styles from './loaded.module.css';
import { Notice } from './notice.js';
import { PageHeader } from './page-header.js';
import { usePages } from './use-pages.js';
import { LongWait, Waiting, type Source } from './waiting.js';

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data, ApiError>;
  /** The awaited content, as in "Loading the clusters". */
  readonly what: string;
  /** Where the edge reads it from; ClickHouse by default. */
  readonly from?: readonly Source[];
  /** The heading of a page whose heading comes from the data, until the data is there. */
  readonly page?: string;
  readonly children: (data: Data) => ReactNode;
}

/**
 * Shows data once it is read; before that, what it waits for, or why it could not be read. Data of the
 * previous filter stays until the new answer arrives, below a bar that says so.
 */
export function Loaded<Data>({ query, what, from = ['ClickHouse'], page, children }: LoadedProps<Data>) {
  const { error, refetch, isPlaceholderData } = query;
  // With this, React renders a long list or a map in parts, and handles clicks and keys in between.
  const data = useDeferredValue(query.data);
  const title = `Loading ${what}…`;
  const awaited = [{ what, from }];
  if (data !== undefined)
    return (
      <>
        {isPlaceholderData ? <LongWait title={title} awaited={awaited} /> : null}
        {error === null ? null : <Failed error={error} what={what} retry={() => void refetch()} />}
        <div className={styles['read']} aria-busy={isPlaceholderData}>
          {children(data)}
        </div>
      </>
    );
  return (
    <>
      {page === undefined ? null : <PageHeader title={page} />}
      {error === null ? (
        <Waiting title={title} awaited={awaited} />
      ) : (
        <Failed error={error} what={what} retry={() => void refetch()} />
      )}
    </>
  );
}

function Failed({
  error,
  what,
  retry,
}: {
  readonly error: ApiError;
  readonly what: string;
  readonly retry: () => void;
}) {
  // What was not found might be on its way. A list's page might be gone: its snapshot is not kept forever.
  const pages = usePages();
  const title =
    error.status === 404
      ? 'Not found'
      : error.status === 403
        ? 'Not allowed'
        : error.status === 503 || error.status === 0
          ? `Cannot load ${what} at the moment`
          : `Could not load ${what}`;
  return (
    <Notice kind={error.status === 503 || error.status === 0 ? 'unavailable' : 'error'} title={title}>
      <p>{error.message}</p>
      {error.requestId === undefined || error.status === 404 || error.status === 403 ? null : (
        <p>
          Request <code>{error.requestId}</code>: look it up in the log of the edge.
        </p>
      )}
      {error.status === 403 ? null : (
        <div className="field">
          <Button onClick={retry}>Try again</Button>
          {pages.isFirst ? null : <Button onClick={pages.onFirst}>First page</Button>}
        </div>
      )}
    </Notice>
  );
}
