import type { UseQueryResult } from '@tanstack/react-query';
import type { Answer, ApiError } from '../../api/client.js';
import { Button } from '../../shared/button.js';
import { Exports } from '../../shared/exports.js';
import { formatNumber, formatTimestamp } from '../../shared/format.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';
import type { WantedReplay } from './replay-dialog.js';
import { ShownCommands } from './shown-commands.js';

const path = '/api/v1/dead-letters';
type Answered = Answer<typeof path>;
type Letter = NonNullable<Answered['newest']>[number];

interface NewestLettersProps {
  readonly letters: readonly Letter[];
  readonly query: UseQueryResult<Answered, ApiError>;
  readonly ask: (wanted: WantedReplay) => void;
}

/** The newest undecided letters, each with its reason and a button that sends it back. */
export function NewestLetters({ letters, query, ask }: NewestLettersProps) {
  const { zone } = useAddress();
  if (letters.length === 0) return <p>All of them are decided: none is open.</p>;
  const columns: readonly Column<Letter>[] = [
    { title: 'Since', cell: ({ at }) => <time className="nowrap">{formatTimestamp(at, zone)}</time> },
    { title: 'Stage', cell: ({ stage }) => stage },
    {
      title: 'Reason',
      holds: 'text',
      cell: ({ code, reason }) => (
        <>
          <code>{code}</code>
          <br />
          {reason}
        </>
      ),
    },
    {
      title: 'Record',
      cell: ({ topic, partition, offset }) => <code>{`${topic}/${partition}/${offset}`}</code>,
    },
    { title: 'Tries', isFigure: true, cell: ({ attempts }) => formatNumber(attempts, 0) },
    {
      title: 'Next',
      holds: 'action',
      cell: ({ id }) => (
        <>
          <Button onClick={() => ask({ which: { id }, open: 1 })} aria-label={`Send back ${id}`}>
            Send back
          </Button>
          <ShownCommands which={{ id }} />
        </>
      ),
    },
  ];
  return (
    <section className="stack" aria-labelledby="newest-letters">
      <h2 id="newest-letters">Open letters, newest first</h2>
      <div className="field">
        <Exports what="open dead letters" query={query} path={path} rows={({ newest }) => newest ?? []} />
      </div>
      <Table caption="Open dead letters" columns={columns} rows={letters} keyOf={({ id }) => id} />
      {letters.length < 100 ? null : <p className="muted">The newest 100; the counts above are of all.</p>}
    </section>
  );
}
