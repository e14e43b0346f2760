import { useState } from 'react';
import type { Answer } from '../../api/client.js';
import type { Session } from '../../api/session.js';
import { useRead } from '../../api/use-read.js';
import { Button } from '../../shared/button.js';
import { Exports } from '../../shared/exports.js';
import { formatTimestamp, formatNumber } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { Notice } from '../../shared/notice.js';
import { StatusMark } from '../../shared/status-mark.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';
import { NewestLetters } from './newest-letters.js';
import { mostAtOnce, ReplayDialog, type WantedReplay } from './replay-dialog.js';
import type { ReplayOutcome } from './replay-outcome.js';
import { ShownCommands } from './shown-commands.js';

const path = '/api/v1/dead-letters';
type Letters = Answer<typeof path>['dead_letters'][number];

/** Records that could not be processed, by stage and reason, to be sent back from here or by commands. */
export function DeadLettersTab({ session }: { readonly session: Session }) {
  if (session.role !== 'admin')
    return (
      <Notice kind="error" title="Dead letters are for admins">
        <p>
          They can belong to any workspace. The tab Stages shows their number; sign in with a key of scope
          admin to see the reasons.
        </p>
      </Notice>
    );
  return <Counts />;
}

function Counts() {
  const query = useRead(path, { everySeconds: 10 });
  const [wanted, setWanted] = useState<WantedReplay>();
  const [outcome, setOutcome] = useState<ReplayOutcome>();
  const ask = (next: WantedReplay): void => {
    setOutcome(undefined);
    setWanted(next);
  };
  return (
    <>
      <div role="status" className={outcome === undefined ? 'visually-hidden' : undefined}>
        {outcome === undefined ? null : <StatusMark {...outcome} />}
      </div>
      {wanted === undefined ? null : (
        <ReplayDialog wanted={wanted} tell={setOutcome} close={() => setWanted(undefined)} />
      )}
      <Loaded query={query} what="the dead letters" from={['Kafka']}>
        {({ dead_letters: letters, newest }) =>
          letters.length === 0 ? (
            <Notice kind="none-in-range" title="There is no dead letter">
              <p>Every record of the last 30 days could be processed.</p>
            </Notice>
          ) : (
            <>
              <div className="field">
                <Exports
                  what="dead letters"
                  query={query}
                  path={path}
                  rows={({ dead_letters: counts }) => counts}
                />
              </div>
              <LetterTable letters={letters} ask={newest === null ? undefined : ask} />
              {newest === null ? (
                <p className="muted">
                  A letter can belong to any workspace, so only admins of the workspace <code>default</code>{' '}
                  see single letters and send them back.
                </p>
              ) : (
                <NewestLetters letters={newest} query={query} ask={ask} />
              )}
            </>
          )
        }
      </Loaded>
    </>
  );
}

interface LetterTableProps {
  readonly letters: readonly Letters[];
  /** Undefined if the person may not send letters back. */
  readonly ask: ((wanted: WantedReplay) => void) | undefined;
}

function LetterTable({ letters, ask }: LetterTableProps) {
  const { zone } = useAddress();
  const columns: readonly Column<Letters>[] = [
    { title: 'Stage', cell: ({ stage }) => stage },
    { title: 'Reason', cell: ({ code }) => <code>{code}</code> },
    { title: 'Open', isFigure: true, cell: ({ open }) => formatNumber(open, 0) },
    { title: 'Replayed', isFigure: true, cell: ({ replayed }) => formatNumber(replayed, 0) },
    { title: 'Discarded', isFigure: true, cell: ({ discarded }) => formatNumber(discarded, 0) },
    { title: 'Oldest', cell: ({ oldest_at: at }) => <time>{formatTimestamp(at, zone)}</time> },
    { title: 'Newest', cell: ({ newest_at: at }) => <time>{formatTimestamp(at, zone)}</time> },
    {
      title: 'Next',
      holds: 'action',
      cell: ({ stage, code, open }) =>
        open === 0 ? (
          'nothing to decide'
        ) : (
          <>
            {ask === undefined ? null : (
              <Button
                onClick={() => ask({ which: { stage, code }, open })}
                aria-label={`${sendBack(open)}: ${stage} ${code}`}
              >
                {sendBack(open)}
              </Button>
            )}
            <ShownCommands which={{ stage, code }} />
          </>
        ),
    },
  ];
  return (
    <>
      <Table
        caption="Dead letters by stage and reason"
        columns={columns}
        rows={letters}
        keyOf={({ stage, code }) => `${stage} ${code}`}
      />
      <p className="muted">
        First see what they are, and fix the cause; then send them back, each once. The commands do the same
        on the server: they also show a letter’s content, and discard it. A letter is kept for 30 days.
      </p>
    </>
  );
}

function sendBack(open: number): string {
  if (open === 1) return 'Send it back';
  return open > mostAtOnce
    ? `Send the oldest ${formatNumber(mostAtOnce, 0)} back`
    : `Send all ${formatNumber(open, 0)} back`;
}
