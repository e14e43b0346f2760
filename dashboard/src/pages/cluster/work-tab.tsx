import type { UseQueryResult } from '@tanstack/react-query';
import { useId } from 'react';
import type { Answer, ApiError } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import type { CsvRow } from '../../shared/csv.js';
import { Exports } from '../../shared/exports.js';
import { absent, formatBytes, formatMillis, formatPercent } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { Table, type Column } from '../../shared/table.js';
import { pendingSql, recoveriesSql, tasksSql } from './list-sql.js';
import { SectionRows, type ListedSection } from './section-note.js';

const taskPath = '/api/v1/clusters/{cluster_uuid}/tasks';
const recoveryPath = '/api/v1/clusters/{cluster_uuid}/recoveries';
/** The most rows that the API lists at once. */
const mostRows = 1_000;
type Task = Answer<typeof taskPath>['tasks'][number];
type Recovery = Answer<typeof recoveryPath>['recoveries'][number];

const taskColumns: readonly Column<Task>[] = [
  { title: 'Task', holds: 'name', cell: ({ kind, action }) => <strong>{kind ?? action ?? absent}</strong> },
  { title: 'Runs for', isFigure: true, cell: ({ running_ms: ms }) => formatMillis(ms) },
  { title: 'Done', isFigure: true, cell: ({ progress_ratio: ratio }) => formatPercent(ratio) },
  {
    title: 'From → to',
    cell: ({ from_indices: from, to_index: to }) =>
      [from.join(', '), to ?? ''].filter((text) => text !== '').join(' → ') || absent,
  },
  { title: 'Task id', holds: 'name', cell: ({ task_id: id }) => <code>{id ?? absent}</code> },
  { title: 'Action', cell: ({ action }) => <code>{action ?? absent}</code> },
];

const pendingColumns: readonly Column<Task>[] = [
  { title: 'Task', holds: 'name', cell: ({ source }) => source ?? absent },
  { title: 'Waits for', isFigure: true, cell: ({ queued_ms: ms }) => formatMillis(ms) },
  { title: 'Priority', cell: ({ priority }) => priority?.toLowerCase() ?? absent },
  {
    title: 'State',
    cell: ({ executing }) => (executing === null ? absent : executing ? 'being executed' : 'in the queue'),
  },
];

const recoveryColumns: readonly Column<Recovery>[] = [
  {
    title: 'Shard',
    holds: 'name',
    cell: ({ index, shard, primary }) => (
      <>
        <strong>{`${index ?? absent} [${shard ?? absent}]`}</strong>{' '}
        {primary === null ? '' : primary ? 'primary' : 'replica'}
      </>
    ),
  },
  {
    title: 'Stage',
    cell: ({ type, stage }) => `${stage ?? absent}${type === null ? '' : ` (${type})`}`.toLowerCase(),
  },
  {
    title: 'Done',
    isFigure: true,
    cell: ({ bytes_percent: percent }) => formatPercent(percent === null ? null : percent / 100),
  },
  {
    title: 'Copied',
    isFigure: true,
    cell: ({ bytes_recovered: done, bytes_total: all }) => `${formatBytes(done)} of ${formatBytes(all)}`,
  },
  {
    title: 'Speed',
    isFigure: true,
    cell: ({ bytes_per_second: speed }) =>
      speed === null ? absent : speed === 0 ? 'stalled' : `${formatBytes(speed)}/s`,
  },
  { title: 'Runs for', isFigure: true, cell: ({ total_time_ms: ms }) => formatMillis(ms) },
  {
    title: 'From → to',
    cell: ({ source_node: from, target_node: to }) => [from ?? absent, to ?? absent].join(' → '),
  },
];

interface OfCluster {
  readonly uuid: string;
}

/** The cluster's work other than its clients' requests. */
export function WorkTab({ uuid }: OfCluster) {
  return (
    <>
      <LongTasks uuid={uuid} />
      <PendingTasks uuid={uuid} />
      <Recoveries uuid={uuid} />
    </>
  );
}

const optionsOf = (uuid: string, filter: Readonly<Record<string, string>> = {}) => ({
  params: { cluster_uuid: uuid },
  query: { ...filter, limit: mostRows },
});

function LongTasks({ uuid }: OfCluster) {
  const options = optionsOf(uuid);
  return (
    <WorkList
      {...{ path: taskPath, options, columns: taskColumns }}
      query={useRead(taskPath, { ...options, everySeconds: 30 })}
      title="Long-running tasks"
      caption="Long tasks"
      what="long tasks"
      none="None: no reindex, update by query, delete by query or the like was running."
      rowsOf={({ tasks }) => tasks}
      keyOf={({ task_id: id }, index) => id ?? String(index)}
      flat={flatTask}
      sql={tasksSql}
    />
  );
}

function PendingTasks({ uuid }: OfCluster) {
  const options = optionsOf(uuid, { pending: 'true' });
  return (
    <WorkList
      {...{ path: taskPath, options, columns: pendingColumns }}
      query={useRead(taskPath, { ...options, everySeconds: 30 })}
      title="Tasks that wait for the master"
      caption="Pending tasks"
      what="pending tasks"
      none="None: the master had nothing in its queue."
      rowsOf={({ tasks }) => tasks}
      keyOf={({ insert_order: order }, index) => String(order ?? index)}
      flat={flatPending}
      sql={pendingSql}
    />
  );
}

function Recoveries({ uuid }: OfCluster) {
  const options = optionsOf(uuid);
  return (
    <WorkList
      {...{ path: recoveryPath, options, columns: recoveryColumns }}
      query={useRead(recoveryPath, { ...options, everySeconds: 30 })}
      title="Recoveries"
      caption="Recoveries in progress"
      what="recoveries"
      none="None: no shard was being copied or restored."
      rowsOf={({ recoveries }) => recoveries}
      keyOf={(_, index) => String(index)}
      flat={flatRecovery}
      sql={recoveriesSql}
    />
  );
}

interface WorkListProps<List, Row> {
  readonly title: string;
  /** Must differ from the title, because both name landmarks. */
  readonly caption: string;
  readonly what: string;
  readonly query: UseQueryResult<List, ApiError>;
  readonly path: string;
  readonly options: ReturnType<typeof optionsOf>;
  readonly columns: readonly Column<Row>[];
  /** The text if there is nothing of the kind. */
  readonly none: string;
  readonly rowsOf: (list: List) => readonly Row[];
  readonly keyOf: (row: Row, index: number) => string;
  /** A row for a spreadsheet. */
  readonly flat: (row: Row) => CsvRow;
  readonly sql: typeof tasksSql;
}

/** The rows of one kind of work in the last snapshot. */
function WorkList<List extends ListedSection, Row>(props: WorkListProps<List, Row>) {
  const { title, caption, what, query, path, options, columns, none, rowsOf, keyOf, flat, sql } = props;
  const id = useId();
  const uuid = options.params.cluster_uuid;
  return (
    <section className="stack" aria-labelledby={id}>
      <div className="field">
        <h2 id={id}>{title}</h2>
        <Exports
          {...{ what, query, path, options }}
          rows={(list) => rowsOf(list).map(flat)}
          sql={({ as_of: at }, scope) => sql({ uuid, at }, scope)}
        />
      </div>
      <Loaded query={query} what={`the ${what}`}>
        {(list) => {
          const rows = rowsOf(list);
          return (
            <SectionRows what={what} list={list} count={rows.length} none={none}>
              <Table caption={caption} columns={columns} rows={rows} keyOf={keyOf} />
              <Rest shown={rows.length} total={list.total} />
            </SectionRows>
          );
        }}
      </Loaded>
    </section>
  );
}

/** Shown if the list is incomplete. */
function Rest({ shown, total }: { readonly shown: number; readonly total: number }) {
  return shown >= total ? null : (
    <p className="muted">{`The first ${shown} of ${total}, the longest first.`}</p>
  );
}

const flatTask = ({
  kind,
  action,
  task_id,
  running_ms,
  progress_ratio,
  from_indices: from,
  to_index,
}: Task) => ({
  ...{ kind, action, task_id, running_ms, progress_ratio, from_indices: from.join(', '), to_index },
});

const flatPending = ({ source, queued_ms, priority, executing, insert_order }: Task) => ({
  ...{ source, queued_ms, priority, executing, insert_order },
});

const flatRecovery = ({ index, shard, primary, type, stage, bytes_percent, ...recovery }: Recovery) => ({
  ...{ index, shard, primary, type, stage, bytes_percent },
  ...{ bytes_recovered: recovery.bytes_recovered, bytes_total: recovery.bytes_total },
  ...{ bytes_per_second: recovery.bytes_per_second, total_time_ms: recovery.total_time_ms },
  ...{ source_node: recovery.source_node, target_node: recovery.target_node },
});
