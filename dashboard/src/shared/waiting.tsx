import { Notice } from './notice.js';
import { useBegin, useNow } from './use-now.js';

const patienceMs = 10_000;

interface WaitingProps {
  readonly title: string;
  /** What has not been read yet, as in "the clusters". */
  readonly awaited: readonly string[];
}

/** A wait. One of more than ten seconds names what it waits for. */
export function Waiting({ title, awaited }: WaitingProps) {
  const began = useBegin();
  const now = useNow(5);
  return (
    <Notice kind="loading" title={title}>
      {now - began > patienceMs
        ? `There is no answer yet for: ${awaited.join(', ')}. A question to ClickHouse ends after ten seconds, and is asked three times.`
        : undefined}
    </Notice>
  );
}
