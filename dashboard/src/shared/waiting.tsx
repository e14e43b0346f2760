import { Notice } from './notice.js';
import { useBegin, useNow } from './use-now.js';

const patienceMs = 10_000;

/** Where the edge gets an answer from; `edge` means its own memory. */
export type Source = 'ClickHouse' | 'Kafka' | 'edge' | 'processors';

/** What has not been read yet, as in "the clusters". */
export interface Awaited {
  readonly what: string;
  readonly from: readonly Source[];
}

const about: Readonly<Record<Source, string>> = {
  ClickHouse: 'A query to ClickHouse times out after ten seconds, and is tried three times.',
  Kafka: 'The edge asks Kafka: a broker may be down, or slow.',
  processors: 'A processor scores it: Pipeline shows whether one runs, and how much waits before it.',
  edge: 'The edge has it in memory: check that it runs, and your connection to it.',
};

interface WaitingProps {
  readonly title: string;
  readonly awaited: readonly Awaited[];
}

/** A wait. After more than ten seconds, it says what it waits for. */
export function Waiting({ title, awaited }: WaitingProps) {
  const began = useBegin();
  const now = useNow(5);
  return (
    <Notice kind="loading" title={title}>
      {now - began > patienceMs ? longWait(awaited) : undefined}
    </Notice>
  );
}

/** A wait for new data while earlier data is shown; only displayed once it is long. */
export function LongWait({ title, awaited }: WaitingProps) {
  const began = useBegin();
  const now = useNow(5);
  return now - began > patienceMs ? (
    <Notice kind="loading" title={title}>
      {longWait(awaited)}
    </Notice>
  ) : null;
}

function longWait(awaited: readonly Awaited[]): string {
  const sources = [...new Set(awaited.flatMap(({ from }) => from))];
  return [
    `There is no answer yet for: ${awaited.map(({ what }) => what).join(', ')}.`,
    ...sources.map((source) => about[source]),
  ].join(' ');
}
