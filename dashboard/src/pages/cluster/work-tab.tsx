import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Exports } from '../../shared/exports.js';
import { absent, formatBytes, formatMillis, formatPercent } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { Table, type Column } from '../../shared/table.js';
import { recoveriesSql, tasksSql } from './list-sql.js';
import { SectionRows } from './section-note.js';

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
      speed === null ? absent : speed === 0 ? 'stands still' : `${formatBytes(speed)}/s`,
  },
  { title: 'Takes', isFigure: true, cell: ({ total_time_ms: ms }) => formatMillis(ms) },
  {
    title: 'From → to',
    cell: ({ source_node: from, target_node: to }) => [from ?? absent, to ?? absent].join(' → '),
  },
];

interface OfCluster {
  readonly uuid: string;
}

/** The work of the cluster besides that of its clients. */
export function WorkTab({ uuid }: OfCluster) {
  return (
    <>
      <Tasks uuid={uuid} />
      <Recoveries uuid={uuid} />
    </>
  );
}

const optionsOf = (uuid: string) => ({ params: { cluster_uuid: uuid }, query: { limit: mostRows } });

function Tasks({ uuid }: OfCluster) {
  const options = optionsOf(uuid);
  const query = useRead(taskPath, { ...options, everySeconds: 30 });
  return (
    <section className="stack" aria-labelledby="tasks">
      <div className="field">
        <h2 id="tasks">Tasks that run for long</h2>
        <Exports
          what="long tasks"
          query={query}
          path={taskPath}
          options={options}
          rows={(list) => list.tasks.map(flatTask)}
          sql={({ as_of: at }, scope) => tasksSql({ uuid, at }, scope)}
        />
      </div>
      <Loaded query={query} what="the tasks">
        {(list) => (
          <SectionRows
            what="tasks"
            list={list}
            count={list.tasks.length}
            none="None: no reindex, update by query, delete by query or the like was running."
          >
            <Table
              caption="Long tasks"
              columns={taskColumns}
              rows={list.tasks}
              keyOf={({ task_id: id }, index) => id ?? String(index)}
            />
            <Rest shown={list.tasks.length} total={list.total} />
          </SectionRows>
        )}
      </Loaded>
    </section>
  );
}

function Recoveries({ uuid }: OfCluster) {
  const options = optionsOf(uuid);
  const query = useRead(recoveryPath, { ...options, everySeconds: 30 });
  return (
    <section className="stack" aria-labelledby="recoveries">
      <div className="field">
        <h2 id="recoveries">Recoveries</h2>
        <Exports
          what="recoveries"
          query={query}
          path={recoveryPath}
          options={options}
          rows={(list) => list.recoveries.map(flatRecovery)}
          sql={({ as_of: at }, scope) => recoveriesSql({ uuid, at }, scope)}
        />
      </div>
      <Loaded query={query} what="the recoveries">
        {(list) => (
          <SectionRows
            what="recoveries"
            list={list}
            count={list.recoveries.length}
            none="None: no shard was being copied or restored."
          >
            <Table
              caption="Recoveries that are under way"
              columns={recoveryColumns}
              rows={list.recoveries}
              keyOf={(_, index) => String(index)}
            />
            <Rest shown={list.recoveries.length} total={list.total} />
          </SectionRows>
        )}
      </Loaded>
    </section>
  );
}

/** Shown where the list is incomplete. */
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

const flatRecovery = ({ index, shard, primary, type, stage, bytes_percent, ...recovery }: Recovery) => ({
  ...{ index, shard, primary, type, stage, bytes_percent },
  ...{ bytes_recovered: recovery.bytes_recovered, bytes_total: recovery.bytes_total },
  ...{ bytes_per_second: recovery.bytes_per_second, total_time_ms: recovery.total_time_ms },
  ...{ source_node: recovery.source_node, target_node: recovery.target_node },
});
