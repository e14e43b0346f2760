import type { Answer } from '../../api/client.js';
import type { Session } from '../../api/session.js';
import { useRead } from '../../api/use-read.js';
import { CopyButton } from '../../shared/copy-button.js';
import { Exports } from '../../shared/exports.js';
import { formatMillis, formatNumber, formatTimestamp } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { Meter } from '../../shared/meter.js';
import { Notice } from '../../shared/notice.js';
import { StatusMark } from '../../shared/status-mark.js';
import type { Status } from '../../shared/status.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';

const path = '/api/v1/replays';
type Replay = Answer<typeof path>['replays'][number];

const marks: Readonly<Record<Replay['status'], Status>> = {
  queued: 'unknown',
  running: 'ok',
  paused: 'warn',
  done: 'ok',
  cancelled: 'unknown',
  failed: 'bad',
};

/** Replays and imports, their progress, and the commands for them. */
export function ReplaysTab({ session }: { readonly session: Session }) {
  if (session.role !== 'admin')
    return (
      <Notice kind="error" title="Replays are for admins">
        <p>Sign in with a key of scope admin to see them.</p>
      </Notice>
    );
  return <Replays />;
}

function Replays() {
  const query = useRead(path, {
    everySeconds: (last) => (last?.replays.some(isUnderWay) === true ? 5 : 15),
  });
  return (
    <Loaded query={query} what="the replays" from={['edge']}>
      {({ replays }) =>
        replays.length === 0 ? (
          <Notice kind="none-in-range" title="Nothing has been replayed">
            <p>
              <code>telltale replay scoring</code>, <code>telltale replay table</code> and{' '}
              <code>telltale import</code> are shown here while they run, and after.
            </p>
          </Notice>
        ) : (
          <>
            <div className="field">
              <Exports what="replays" query={query} path={path} rows={(answer) => answer.replays} />
            </div>
            <ReplayTable replays={replays} />
          </>
        )
      }
    </Loaded>
  );
}

const isUnderWay = ({ status }: Pick<Replay, 'status'>): boolean =>
  status === 'queued' || status === 'running';

function ReplayTable({ replays }: { readonly replays: readonly Replay[] }) {
  const { zone } = useAddress();
  const columns: readonly Column<Replay>[] = [
    {
      title: 'What',
      cell: ({ id, kind, what }) => (
        <>
          {what}
          <br />
          <small className="muted">
            {kind} · <code>{id}</code>
          </small>
        </>
      ),
    },
    {
      title: 'State',
      cell: ({ status, reason }) => (
        <>
          <StatusMark status={marks[status]} word={status} />
          {reason === null ? null : <p className="muted">{reason}</p>}
        </>
      ),
    },
    {
      title: 'Done',
      cell: ({ records, total }) =>
        total === null || total === 0 ? (
          formatNumber(records, 0)
        ) : (
          <Meter ratio={Math.min(1, records / total)} of={formatNumber(total, 0)} />
        ),
    },
    { title: 'Refused', isFigure: true, cell: ({ failures }) => formatNumber(failures, 0) },
    { title: 'Each second', isFigure: true, cell: ({ rate }) => formatNumber(rate) },
    {
      title: 'Left',
      isFigure: true,
      cell: ({ eta_seconds: eta }) => formatMillis(eta === null ? null : eta * 1_000),
    },
    { title: 'Asked for', cell: ({ created_at: at }) => <time>{formatTimestamp(at, zone)}</time> },
    {
      title: 'Next',
      holds: 'action',
      cell: ({ id, kind, status }) => (
        <span className="nowrap">
          {verbsOf(kind, status).map((verb) => (
            <CopyButton
              key={verb}
              label={`Copy ${verb}`}
              about={id}
              text={() => `telltale replays ${verb} ${id}`}
            />
          ))}
        </span>
      ),
    },
  ];
  return (
    <>
      <Table caption="Replays and imports" columns={columns} rows={replays} keyOf={({ id }) => id} />
      <p className="muted">Replays are controlled by commands on the server.</p>
    </>
  );
}

/** An import continues when its command is run again, because only the command has the file. */
function verbsOf(kind: Replay['kind'], status: Replay['status']): readonly string[] {
  if (isUnderWay({ status })) return ['pause', 'cancel'];
  if (status === 'paused' || status === 'failed')
    return kind === 'import' ? ['cancel'] : ['resume', 'cancel'];
  return [];
}
