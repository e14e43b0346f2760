import type { Answer } from '../../api/client.js';
import type { Session } from '../../api/session.js';
import { useRead } from '../../api/use-read.js';
import { Exports } from '../../shared/exports.js';
import { formatTimestamp, formatNumber } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { Notice } from '../../shared/notice.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';
import { NewestLetters } from './newest-letters.js';
import { ShownCommands } from './shown-commands.js';

const path = '/api/v1/dead-letters';
type Letters = Answer<typeof path>['dead_letters'][number];

/** Records that could not be processed, by stage and reason, with the commands that show and replay them. */
export function DeadLettersTab({ session }: { readonly session: Session }) {
  if (session.role !== 'admin')
    return (
      <Notice kind="error" title="Dead letters are for admins">
        <p>
          They are those of every workspace. The tab Stages has their number; sign in with a key of scope
          admin to see the reasons.
        </p>
      </Notice>
    );
  return <Counts />;
}

function Counts() {
  const query = useRead(path, { everySeconds: 10 });
  return (
    <Loaded query={query} what="the dead letters">
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
            <LetterTable letters={letters} />
            {newest === null ? (
              <p className="muted">
                Single letters are listed for admins of the workspace <code>default</code>: they are of every
                workspace.
              </p>
            ) : (
              <NewestLetters letters={newest} query={query} />
            )}
          </>
        )
      }
    </Loaded>
  );
}

function LetterTable({ letters }: { readonly letters: readonly Letters[] }) {
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
      holds: 'text',
      cell: ({ stage, code, open }) =>
        open === 0 ? 'nothing to decide' : <ShownCommands which={{ stage, code }} />,
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
        A command sends letters back, on the server: first see what they are, mend the cause, then replay.
        What a replay would do is shown first, by <code>--dry-run</code>; each letter goes back once. A letter
        is kept for 30 days.
      </p>
    </>
  );
}
