import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Exports } from '../../shared/exports.js';
import {
  absent,
  formatAgo,
  formatCount,
  formatTimestamp,
  formatNumber,
  zoneName,
  type Zone,
} from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { adviceOf, formatLag, evaluateStage, processesOf, type Stage } from '../../shared/stage-status.js';
import { StatusMark } from '../../shared/status-mark.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';
import { useNow } from '../../shared/use-now.js';
import { Diagram } from './diagram.js';
import { HopTimes } from './hop-times.js';

const path = '/api/v1/pipeline';

/** The architecture diagram with the state of each stage, the same as a table, and each stage's processes. */
export function StagesTab() {
  const { zone } = useAddress();
  const query = useRead(path, { everySeconds: 5 });
  return (
    <>
      <Loaded query={query} what="the stages" from={['Kafka']}>
        {({ at, stages, edge, processes }) => (
          <>
            <div className="field">
              <Age at={at} />
              <Exports
                what="pipeline"
                query={query}
                path={path}
                rows={(answer) => answer.stages.map(rowOf)}
              />
            </div>
            <Diagram stages={stages} edge={edge} />
            <details>
              <summary>The same as a table</summary>
              <Table
                caption="Stages of the pipeline"
                columns={columns}
                rows={stages}
                keyOf={({ stage }) => stage}
              />
            </details>
            <h2>Processes</h2>
            <div className="field">
              <Exports what="processes" query={query} path={path} rows={(answer) => answer.processes} />
            </div>
            <Table
              caption="Processes"
              columns={processColumns(zone)}
              rows={processes}
              keyOf={({ process }) => process}
            />
          </>
        )}
      </Loaded>
      <HopTimes />
    </>
  );
}

function Age({ at }: { readonly at: string }) {
  const { zone } = useAddress();
  const now = useNow(1);
  return <time title={formatTimestamp(at, zone)}>Data from {formatAgo(at, now)}</time>;
}

const columns: readonly Column<Stage>[] = [
  { title: 'Stage', cell: ({ stage }) => stage },
  {
    title: 'State',
    cell: (stage) => {
      const { status, word } = evaluateStage(stage);
      return <StatusMark status={status} word={word} />;
    },
  },
  { title: 'Reads', cell: ({ topic }) => <code>{topic}</code> },
  {
    title: 'Appended, last minute',
    isFigure: true,
    cell: ({ appended_last_minute: count }) => formatNumber(count, 0),
  },
  { title: 'Lag, records', isFigure: true, cell: ({ lag_records: count }) => formatNumber(count, 0) },
  {
    title: 'Lag, time',
    isFigure: true,
    cell: ({ lag_seconds: seconds }) => formatLag(seconds) ?? absent,
  },
  { title: 'Processes', cell: (stage) => <Processes stage={stage} /> },
  {
    title: 'Errors, last minute',
    cell: ({ errors_last_minute: errors }) => formatNumber(errors, 0),
    isFigure: true,
  },
  {
    title: 'Dead letters kept',
    isFigure: true,
    cell: ({ dead_letters: count }) => formatNumber(count, 0),
  },
  { title: 'Why, and what to do', holds: 'text', cell: (stage) => adviceOf(stage) ?? '' },
];

const processColumns = (zone: Zone): readonly Column<Answer<typeof path>['processes'][number]>[] => [
  { title: 'Process', holds: 'name', cell: ({ process }) => <code>{process}</code> },
  { title: 'Role', cell: ({ role }) => role },
  {
    title: 'State',
    cell: ({ errors_last_minute: errors }) =>
      errors === null ? (
        <>
          <StatusMark status="unknown" word="silent: stopped or lost" />
          <div className="muted">Start it again if it should still run.</div>
        </>
      ) : (
        <StatusMark status="ok" word="reports" />
      ),
  },
  {
    title: `Last report (${zoneName(zone)})`,
    cell: ({ reported_at: at }) => <time className="nowrap">{formatTimestamp(at, zone)}</time>,
  },
  {
    title: 'Errors, last minute',
    isFigure: true,
    cell: ({ errors_last_minute: errors }) => formatNumber(errors, 0),
  },
];

/** The number of a stage's processes, and what each of them does. */
function Processes({ stage }: { readonly stage: Stage }) {
  const processes = processesOf(stage);
  return (
    <>
      {formatNumber(stage.members, 0)}
      {processes.map(({ id, partitions, records }) => (
        <div key={id} className="nowrap muted">
          <code title={id}>{id.slice(-8)}</code>
          {`: ${formatCount(partitions, 'partition')}, ${formatNumber(records, 0)} behind`}
        </div>
      ))}
    </>
  );
}

const rowOf = ({ partitions, ...stage }: Stage): Omit<Stage, 'partitions'> & { partitions: number } => ({
  ...stage,
  partitions: partitions.length,
});
